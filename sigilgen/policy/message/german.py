"""German."""

from sigilgen.policy.message.vocabulary import Kind, Vocabulary

_CHANGED = (
    "aktualisiert|angepasst|bereinigt|dokumentiert|eingebaut|eingefügt|eingeführt|entfernt|ergänzt|ersetzt|erstellt"
    "|erweitert|geändert|geschrieben|hinzugefügt|implementiert|integriert|korrigiert|migriert|refaktoriert|reduziert"
    "|überarbeitet|umbenannt|umgebaut|umgesetzt|umgestellt|vereinfacht|verschoben|zusammengeführt"
)
_DONE = "fertig|fertiggestellt|erledigt|abgeschlossen|vollständig|behoben|gelöst|repariert|korrigiert"
_TESTS = "tests|test|testsuite|testfälle|suite|build|prüfungen"
_ACHIEVE = (
    "abschließen|aufbauen|bauen|beenden|beheben|bringen|erledigen|fertigstellen|finden|herausfinden|hinbekommen"
    "|implementieren|korrigieren|lösen|machen|reparieren|umsetzen|vollenden"
)

GERMAN = Vocabulary(
    language="de",
    common=(
        "aber alle allem allen alles als also am an auch auf aus bei beim bereits bevor bis bitte da dabei damit"
        " dann das dass dein deine dem den denn der des deshalb die dies diese diesem diesen dieser dieses doch du"
        " durch ein eine einem einen einer eines er erst erste es etwas euch für gibt habe haben hat hatte hier"
        " ich ihr im immer in ins ist ja jede jeden jeder jetzt kann keine konnte können leider man mehr mein"
        " meine mich mir mit muss nach nicht noch nun nur ob obwohl oder ohne sehr sein seine sich sie sind so"
        " soll sollte statt um und uns unter vom von vor war waren was weg weil welche wenn werde werden wie"
        " wieder wir wird wurde wurden zu zuerst zum zur zwischen über"
    ),
    numbers="ein eine einen zwei drei vier fünf sechs sieben acht neun zehn elf zwölf mehrere einige",
    negations="nicht kein keine keinen keiner nichts nie niemals ohne null 0",
    contrasts="aber jedoch allerdings obwohl sondern doch",
    joints="und sowie weil denn dann",
    phrases={
        Kind.CLAIM: (
            "✅",
            f"^ {_DONE}",
            f"ist|sind|habe|haben|wurde|wurden|alles ... {_DONE}",
            f"{_TESTS} ... durch|grün|bestanden|erfolgreich|fehlerfrei",
            f"{_TESTS} ~ bestehen|passen|klappen",
            "alles ~ grün|gut|erledigt|fertig",
            f"laufen|läuft ... {_TESTS} ... durch",
            f"bestehen|laufen ~ alle ~ {_TESTS}",
            "funktioniert|klappt|läuft ~ jetzt|nun|wieder|alles|wie",
            "jetzt|nun|alles|damit funktioniert|klappt|läuft",
            "sollte|sollten|müsste ~ jetzt|nun|damit ~ funktionieren|gehen|klappen|laufen|passen|behoben",
            "kann ~ gemerged|gemergt|ausgeliefert ~ werden",
            "bereit für|zum",
            "keine fehler|fehlschläge",
            "tritt ~ nicht mehr auf",
        ),
        Kind.REPORT: (
            f"^ {_CHANGED}",
            f"habe|haben|ist|sind|wurde|wurden ... {_CHANGED}",
            f"^ # ~ {_CHANGED}",
            f"` ~ {_CHANGED}",
            f"dokumentation|tests|beispiele|funktion|methode|klasse|prüfung ~ {_CHANGED}",
            "wird|werden jetzt|nun",
            "behandelt|liefert|prüft|verwendet|unterstützt|akzeptiert|gibt jetzt|nun",
        ),
        Kind.FAILURE: (
            "❌",
            f"{_TESTS} ... fehl|rot|fehlgeschlagen",
            "schlägt|schlagen ... fehl",
            f"# ~ {_TESTS} ~ scheitern|fehlerhaft",
            "# fehlgeschlagen|fehler|fehlschläge",
            "funktioniert|klappt|geht|läuft ~ nicht",
        ),
        Kind.ADMISSION: (
            f"konnte|konnten|kann|können|könnte ... nicht ~ {_ACHIEVE}",
            f"konnte|konnten|kann|können ... kein|keine|keinen ~ {_ACHIEVE}",
            "nicht ~ gelungen|geschafft|hinbekommen|implementiert|umgesetzt",
            f"nicht ~ {_DONE}",
            "noch nicht",
            "schlägt|schlagen|scheitern|scheitert noch|weiterhin|immer",
            "noch|weiterhin ~ fehl|kaputt|rot|offen|unvollständig",
            "fehlt|fehlen ~ noch",
            "unvollständig|unfertig|ungelöst",
            "nur ~ teilweise|teil|halb|hälfte",
            "zur hälfte",
            "steht|stehen noch aus",
            "teilweise ~ fertig|erledigt|umgesetzt|implementiert|behoben",
            "nicht ~ alle ~ tests",
            "nicht mehr geschafft",
            "komme|kam ~ nicht weiter",
            "aufgegeben|blockiert",
            f"alle bis auf ~ {_TESTS}",
        ),
        Kind.INTENT: (
            "ich werde",
            "als|im nächstes|nächsten",
            "jetzt|nun|dann|zuerst ~ werde|schaue|prüfe|starte|führe ~ ich",
            "lass|lassen mich|uns",
        ),
        Kind.UNCHECKED: ("☐",),
        Kind.CONDITION: (
            "wenn|falls|sobald|sofern|ob|bis",
            "bevor|nachdem ~ du|sie|ihr|man",
            "bitte",
            "damit die|der|das|alle|alles",
            "sicherstellen|sicherzustellen",
            "muss|müssen|soll|sollen",
        ),
        Kind.UNREAL: ("werde|wird|werden ~ ich|dann|danach", "würde|könnte|könnten|kann"),
        Kind.NARRATIVE: ("zuerst|anfangs|ursprünglich|vorher|zunächst|zuvor|bisher",),
        Kind.PAST: ("war|waren|schlugen|hatte|hatten", "früher|vorher|zuvor"),
        Kind.EXCEPTION: ("außer|ausgenommen|ausser", "bis auf", "mit ausnahme", "abgesehen von"),
        Kind.EXCUSE: (
            "unabhängig von",
            "schon|bereits vorher|zuvor|vor",
            "vor meiner|meinen|der ~ änderung|änderungen",
            "auch auf main|master",
            "nichts mit ... zu tun",
            "übersprungen",
        ),
        Kind.REST: ("andere|anderen|übrige|übrigen|restliche|restlichen|rest|sonst",),
        Kind.IDIOM: ("nicht nur", "nichts mehr"),
    },
)
