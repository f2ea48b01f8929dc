"""Spanish."""

from sigilgen.policy.message.vocabulary import Kind, Vocabulary

_CHANGED = (
    "actualizado|actualizada|actualizados|actualizadas|adaptado|agregado|agregada|agregados|ajustado|añadido|añadida"
    "|añadidos|cambiado|cambiada|creado|creada|documentado|eliminado|eliminada|eliminados|escrito|implementado"
    "|implementada|integrado|limpiado|migrado|modificado|modificada|movido|reemplazado|reemplazada|reescrito"
    "|refactorizado|renombrado|simplificado|sustituido"
)
_I_CHANGED = (
    "actualicé|adapté|agregué|ajusté|añadí|cambié|creé|documenté|eliminé|escribí|hice|implementé|limpié|migré|modifiqué"
    "|moví|reemplacé|reescribí|refactoricé|renombré|simplifiqué|sustituí"
)
_WAS_CHANGED = (
    "actualizó|actualizaron|agregó|agregaron|ajustó|añadió|añadieron|cambió|creó|crearon|eliminó|eliminaron|implementó"
    "|implementaron|modificó|modificaron|reemplazó|reescribió|renombró"
)
_DONE = (
    "listo|lista|listos|listas|hecho|hecha|terminado|terminada|terminados|completado|completada|completados|completo"
    "|completa|corregido|corregida|corregidos|corregidas|arreglado|arreglada|arreglados|resuelto|resuelta|resueltos"
    "|solucionado|solucionada|solucionados|finalizado|finalizada"
)
_TESTS = "prueba|pruebas|test|tests|suite|compilación"
_ACHIEVE = (
    "arreglar|completar|conseguir|corregir|determinar|encontrar|hacer|implementar|lograr|reproducir|resolver|solucionar"
    "|terminar|ayudar|ayudarte"
)

SPANISH = Vocabulary(
    language="es",
    common=(
        "a ahora al algo antes aquí archivo así aún bien cada como con cual cuando cuál de del desde después"
        " donde dos e el ella ellos en entre era es esa ese eso esta estas este esto estos está están fue función"
        " ha hacer han hay he hemos la las le les lo los luego línea me mi mis mismo muy más ni no nos o otra otro"
        " para pero por porque primero puede puedes que quiere quieres qué se sea ser si sido sin sobre solo son"
        " su sus sí también tan te tengo tiene toda todas todavía todo todos tres tu tus un una uno unos voy y ya"
        " yo"
    ),
    numbers="un una dos tres cuatro cinco seis siete ocho nueve diez once doce varios varias algunos algunas",
    negations="no ningún ninguna ninguno nada nunca sin ni cero 0",
    contrasts="pero sino aunque embargo",
    joints="y porque entonces luego",
    phrases={
        Kind.CLAIM: (
            "✅",
            f"^ {_DONE}",
            "^ todo ~ listo",
            f"he|hemos|está|están|ha|han|queda|quedó|quedado|fue|sido|ya|todo ~ {_DONE}",
            "corregí|arreglé|resolví|solucioné|terminé|completé|finalicé",
            "se corrigió|arregló|resolvió|solucionó|completó|corrigieron",
            f"{_TESTS} ... pasan|pasa|pasaron|pasando|exitosas|verde|correctamente",
            f"pasan|pasaron ~ todas|todos ~ {_TESTS}",
            "ahora|ya|todo funciona|funcionan|pasa|pasan",
            "funciona|funcionan ahora|correctamente|bien|como|perfectamente",
            "debería|deberían ~ funcionar|pasar|andar|estar",
            "sin errores|fallos",
        ),
        Kind.REPORT: (
            f"^ {_CHANGED}",
            f"he|hemos|ha|han|fue|fueron|sido ~ {_CHANGED}",
            _I_CHANGED,
            f"se ~ {_WAS_CHANGED}",
            "ahora acepta|devuelve|maneja|valida|usa|incluye|soporta",
        ),
        Kind.FAILURE: (
            "❌",
            f"{_TESTS} ... fallan|falla|fallaron|fallando|rojo",
            "# fallos|fallas|errores|fallaron|fallidas",
            "no funciona|funcionan|compila|pasa|pasan",
        ),
        Kind.ADMISSION: (
            f"no ~ pude|pudo|puedo|podido|logré|logrado|conseguí|conseguido|fue|sido|posible ... {_ACHIEVE}",
            f"no ~ {_DONE}",
            "sigue|siguen|continúa|continúan ~ fallando|fallan|rota|rotas|roto|sin",
            "aún|todavía ~ falla|fallan|falta|faltan|no",
            "queda|quedan|falta|faltan ~ por|pendiente|pendientes",
            "incompleto|incompleta|inacabado|parcial|parcialmente",
            "no todas|todos ~ pruebas|tests",
            "me ~ quedé sin",
            "bloqueado|bloqueada",
        ),
        Kind.INTENT: (
            "voy|vamos a",
            "déjame|permíteme",
        ),
        Kind.UNCHECKED: ("☐",),
        Kind.CONDITION: (
            "si|cuando|hasta",
            "una vez que",
            "en cuanto",
            "después de que",
            "para que",
            "por favor",
            "debe|deben|hay que",
            "asegúrate|asegurar|asegurarse|verificar|verifica",
            "cómo",
        ),
        Kind.UNREAL: (
            "voy|va|vamos|van a",
            "estará|estarán|quedará|podría|puede|sería|funcionará",
        ),
        Kind.NARRATIVE: ("inicialmente|originalmente|anteriormente", "al principio"),
        Kind.PAST: ("estaba|estaban|era|fallaba|fallaban|había",),
        Kind.EXCEPTION: ("excepto|salvo", "menos # ", "a excepción"),
        Kind.EXCUSE: (
            "preexistente|preexistentes",
            "ya fallaba|fallaban",
            "antes de mis|mi|este|estos",
            "no ~ relacionado|relacionados|relacionada",
        ),
        Kind.REST: ("demás|otras|otros|resto",),
        Kind.IDIOM: ("no solo", "sin problemas"),
    },
)
