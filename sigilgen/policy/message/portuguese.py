"""Portuguese, as written in Brazil and in Portugal."""

from sigilgen.policy.message.vocabulary import Kind, Vocabulary

_CHANGED = (
    "adaptado|adicionado|adicionada|adicionados|adicionadas|ajustado|ajustada|alterado|alterada|alterados|atualizado"
    "|atualizada|atualizados|criado|criada|criados|documentado|escrito|implementado|implementada|integrado|limpo|migrado"
    "|modificado|modificada|movido|reescrito|refatorado|removido|removida|removidos|renomeado|simplificado|substituído"
    "|substituída|substituídos"
)
_I_CHANGED = (
    "acrescentei|adaptei|adicionei|ajustei|alterei|atualizei|criei|documentei|escrevi|fiz|implementei|limpei|migrei"
    "|modifiquei|movi|mudei|reescrevi|refatorei|removi|renomeei|simplifiquei|substituí|troquei"
)
_DONE = (
    "pronto|pronta|prontos|feito|feita|terminado|terminada|concluído|concluída|concluídos|completo|completa|completado"
    "|corrigido|corrigida|corrigidos|corrigidas|consertado|consertada|resolvido|resolvida|resolvidos|finalizado"
    "|finalizada|solucionado|solucionada"
)
_TESTS = "teste|testes|suíte|suite|build|compilação"
_ACHIEVE = (
    "ajudar|concluir|completar|corrigir|consertar|descobrir|encontrar|fazer|finalizar|implementar|reproduzir|resolver"
    "|solucionar|terminar"
)

PORTUGUESE = Vocabulary(
    language="pt",
    common=(
        "a agora ainda algo antes ao aos aqui arquivo as assim até cada com como da das de deles depois do dois"
        " dos duas e ela ele eles em entre era essa esse esta este está estão eu ficheiro foi foram função há isso"
        " isto já lhe linha mais mas me mesmo meu minha muito na nas nem no nos nova novo não nós o onde os ou"
        " outra outro para pela pelas pelo pelos pode por porque primeiro qual quando que quer se sem ser seu seus"
        " sido sim sobre sua suas são só também te tem tenho teu toda todas todo todos três tudo um uma umas uns"
        " você vocês vou à às é"
    ),
    numbers="um uma dois duas três quatro cinco seis sete oito nove dez onze doze vários várias alguns algumas",
    negations="não nenhum nenhuma nada nunca sem nem zero 0",
    contrasts="mas porém contudo embora entretanto",
    joints="e porque então depois",
    phrases={
        Kind.CLAIM: (
            "✅",
            f"^ {_DONE}",
            f"está|estão|foi|foram|sido|já|tudo ~ {_DONE}",
            "corrigi|consertei|resolvi|solucionei|terminei|concluí|completei|finalizei",
            f"{_TESTS} ... passam|passa|passaram|passando|passar|verdes|verde|sucesso",
            f"passam|passaram ~ todos ~ {_TESTS}",
            "agora|já|tudo funciona|funcionam|passa|passam",
            "funciona|funcionam|funcionando agora|corretamente|bem|como|perfeitamente",
            "deve|deveria|devem ~ funcionar|passar|resolver|estar",
            "sem erros|falhas",
        ),
        Kind.REPORT: (
            f"^ {_CHANGED}",
            f"foi|foram|sido|está ~ {_CHANGED}",
            _I_CHANGED,
            "agora aceita|devolve|retorna|trata|valida|usa|inclui|suporta",
        ),
        Kind.FAILURE: (
            "❌",
            f"{_TESTS} ... falham|falha|falharam|falhando|vermelho",
            "# falhas|erros|falharam|falhou",
            "não funciona|funcionam|compila|passa|passam",
        ),
        Kind.ADMISSION: (
            f"não ~ consegui|consigo|pude|posso|foi|possível|conseguimos ... {_ACHIEVE}",
            f"não ~ {_DONE}",
            "ainda|continua|continuam ~ falha|falham|falhando|falta|faltam|não|quebrado",
            "falta|faltam|resta|restam ~ por|fazer|implementar",
            "incompleto|incompleta|inacabado|parcial|parcialmente",
            "nem todos ~ testes",
            "fiquei sem",
            "bloqueado|bloqueada|travado",
        ),
        Kind.INTENT: (
            "vou|vamos ~ agora|primeiro|ler|verificar|executar|rodar|corrigir|começar|continuar",
            "deixe|deixa me",
        ),
        Kind.UNCHECKED: ("☐",),
        Kind.CONDITION: (
            "se|quando|até",
            "assim que",
            "depois que",
            "para que",
            "por favor",
            "precisa|precisam|tem que",
            "certifique|garantir|verifique",
            "como",
        ),
        Kind.UNREAL: (
            "vou|vai|vamos|vão",
            "será|serão|estará|ficará|poderia|pode|seria|funcionará",
        ),
        Kind.NARRATIVE: ("inicialmente|originalmente|anteriormente", "no início|começo"),
        Kind.PAST: ("estava|estavam|era|falhava|falhavam|havia",),
        Kind.EXCEPTION: ("exceto|salvo|menos", "com exceção"),
        Kind.EXCUSE: (
            "preexistente|preexistentes",
            "já falhava|falhavam",
            "antes das|da|de minhas|minha|mudanças|alterações",
            "não ~ relacionado|relacionados",
        ),
        Kind.REST: ("demais|outros|outras|restante|restantes|resto",),
        Kind.IDIOM: ("não só|apenas", "sem problemas"),
    },
)
