"""Italian."""

from sigilgen.policy.message.vocabulary import Kind, Vocabulary

_CHANGED = (
    "adattato|aggiornato|aggiornata|aggiornati|aggiunto|aggiunta|aggiunti|aggiunte|cambiato|creato|creata|creati"
    "|documentato|eliminato|eliminata|esteso|implementato|implementata|inserito|introdotto|migrato|modificato|modificata"
    "|rifattorizzato|rimosso|rimossa|rimossi|rinominato|riscritto|riscritta|scritto|semplificato|sostituito|sostituita"
    "|spostato|spostata"
)
_DONE = (
    "fatto|fatta|finito|finita|completato|completata|completati|completo|completa|concluso|conclusa|corretto|corretta"
    "|corretti|pronto|pronta|riparato|risolto|risolta|risolti|sistemato|sistemata|terminato|terminata"
)
_TESTS = "test|suite|build|verifiche|compilazione"
_ACHIEVE = (
    "aiutare|capire|completare|correggere|fare|finire|implementare|individuare|ottenere|riparare|riprodurre|risolvere"
    "|sistemare|terminare|trovare"
)

ITALIAN = Vocabulary(
    language="it",
    common=(
        "a adesso ai al alla alle allo anche ancora avere c che chi ci come con cosa così da dagli dai dal dalla"
        " dei del della delle di dopo dove due e ecco ed era essere fa file fra funzione gli ha hai hanno ho i il"
        " in io l la le lei li lo loro lui ma me mentre mi mio nei nel nella nelle no noi non nostro nuovo o ogni"
        " ora per perché più poi prima può qual quale quando quanto quella quelle quelli quello questa queste"
        " questi questo qui riga se sei senza si sia solo sono sta stata stato su sua sue sugli sui sul sulla suo"
        " te ti tra tre tua tuo tutta tutte tutti tutto un una uno vi viene voi vuoi è"
    ),
    numbers="un una due tre quattro cinque sei sette otto nove dieci undici dodici diversi diverse alcuni alcune",
    negations="non nessun nessuno nessuna niente nulla mai senza zero 0",
    contrasts="ma però tuttavia bensì",
    joints="e ed perché quindi poi",
    phrases={
        Kind.CLAIM: (
            "✅",
            f"^ {_DONE}",
            f"ho|abbiamo|è|sono|stato|stata|stati|tutto|già ~ {_DONE}",
            f"{_TESTS} ... passano|passa|passati|superati|superata|verdi|verde|successo",
            "adesso|ora|tutto funziona|funzionano|passa|passano",
            "funziona|funzionano adesso|ora|correttamente|bene|come|perfettamente",
            "dovrebbe|dovrebbero ~ funzionare|passare|andare|bastare",
            "senza|nessun errori|errore|fallimenti|fallimento",
        ),
        Kind.REPORT: (
            f"^ {_CHANGED}",
            f"ho|abbiamo|è|sono|stato|stata|stati|state|e ~ {_CHANGED}",
            "adesso|ora accetta|restituisce|gestisce|controlla|usa|supporta",
            "viene|vengono ~ adesso|ora",
        ),
        Kind.FAILURE: (
            "❌",
            f"{_TESTS} ... falliscono|fallisce|fallito|falliti|rossi|rosso",
            "# falliti|errori|fallimenti",
            "non funziona|funzionano|compila|passa|passano",
        ),
        Kind.ADMISSION: (
            f"non ~ sono|siamo|riesco|riuscito|posso|potuto|stato|possibile ... {_ACHIEVE}",
            f"non ~ {_DONE}",
            "falliscono|fallisce ancora",
            "ancora ~ falliscono|fallisce|errori|rotto|manca|mancano",
            "manca|mancano|resta|restano ancora|da",
            "incompleto|incompleta|incompiuto|parziale|parzialmente",
            "non tutti ~ test",
            "non ~ ancora",
            "bloccato|bloccata",
        ),
        Kind.INTENT: (
            "sto per",
            "adesso|ora|poi|prima|cosa|dopo ~ eseguo|controllo|leggerò|correggerò|verifico|verificherò|passo",
        ),
        Kind.UNCHECKED: ("☐",),
        Kind.CONDITION: (
            "se|quando|finché",
            "una volta che",
            "non appena",
            "dopo che|aver",
            "affinché",
            "in modo che|da",
            "per favore",
            "deve|devono|bisogna",
            "assicurati|verificare|verifica",
        ),
        Kind.UNREAL: ("sarà|saranno|potrebbe|può|sarebbe|funzionerà|verrà",),
        Kind.NARRATIVE: ("inizialmente|originariamente|precedentemente", "all inizio"),
        Kind.PAST: ("era|erano|falliva|fallivano|aveva",),
        Kind.EXCEPTION: ("tranne|eccetto|salvo", "a parte", "ad eccezione"),
        Kind.EXCUSE: (
            "preesistente|preesistenti",
            "già falliva|fallivano",
            "prima delle|della ~ modifiche|modifica",
            "non ~ correlato|correlati",
        ),
        Kind.REST: ("altri|altre|resto|rimanenti",),
        Kind.IDIOM: ("non solo", "senza problemi"),
    },
)
