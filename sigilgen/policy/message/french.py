"""French."""

from sigilgen.policy.message.vocabulary import Kind, Vocabulary

_CHANGED = (
    "actualisé|adapté|ajouté|ajoutée|ajoutés|ajoutées|amélioré|créé|créée|créés|déplacé|déplacée|documenté|écrit|étendu"
    "|implémenté|implémentée|introduit|migré|mis|mise|modifié|modifiée|modifiés|nettoyé|refactorisé|remplacé|remplacée"
    "|remplacés|renommé|renommée|réécrit|réécrite|simplifié|supprimé|supprimée|supprimés"
)
_DONE = (
    "terminé|terminée|terminés|terminées|fini|finie|finis|achevé|achevée|corrigé|corrigée|corrigés|corrigées|résolu"
    "|résolue|résolus|réparé|réparée|fait|faite|complet|complète|prêt|prête"
)
_TESTS = "test|tests|suite|vérifications|build|compilation"
_ACHIEVE = (
    "achever|aider|ajouter|compléter|comprendre|corriger|faire|finir|implémenter|mener|obtenir|réparer|résoudre|reproduire"
    "|terminer|trouver"
)

FRENCH = Vocabulary(
    language="fr",
    common=(
        "a abord ai ainsi alors après au aucun aucune aussi autre autres aux avant avec avez avoir avons c ce"
        " cela ces cet cette chaque comme d d'abord dans de des deux donc du elle elles en encore est et eu faire"
        " faut ici il ils j je l la le les leur ligne lorsque lui ma mais me mes moi mon n ne ni nos notre nous on"
        " ont ou où par pas peut plus pour pouvez pouvoir pu puis qu quand que quel quelle qui quoi s sa sans se"
        " ses si son sont sous sur ta te tes toi ton tous tout toute toutes trois très tu un une va vais voici"
        " voilà vos votre voulez vous y était été être"
    ),
    numbers="un une deux trois quatre cinq six sept huit neuf dix onze douze plusieurs quelques certains",
    negations="ne n pas aucun aucune rien jamais sans zéro 0",
    contrasts="mais cependant toutefois pourtant néanmoins",
    joints="et donc car puis parce",
    phrases={
        Kind.CLAIM: (
            "✅",
            f"^ {_DONE}",
            f"est|sont|ai|avons|été|maintenant|tout ~ {_DONE}",
            f"{_TESTS} ... passent|passe|réussissent|réussis|verts|vert|ok",
            "fonctionne|marche|fonctionnent maintenant|correctement|désormais|bien|comme",
            "maintenant|désormais|tout fonctionne|marche",
            "devrait|devraient ~ fonctionner|marcher|passer|suffire|résoudre",
            "c est bon",
            "plus|aucune|sans erreur|erreurs|échec",
        ),
        Kind.REPORT: (
            f"^ {_CHANGED}",
            f"ai|avons|été|est|sont ~ {_CHANGED}",
            "gère|renvoie|accepte|vérifie|utilise|prend maintenant|désormais",
            "maintenant|désormais gère|renvoie|accepte|vérifie|utilise|prend",
        ),
        Kind.FAILURE: (
            "❌",
            f"{_TESTS} ... échouent|échoue|échoué|rouge|rouges",
            f"# ~ {_TESTS} ~ échouent|échoue",
            "# échec|échecs|erreurs|échoué",
            "ne fonctionne|fonctionnent|marche|compile|passe|passent ~ pas",
        ),
        Kind.ADMISSION: (
            f"ai|avons ~ pas ~ pu|réussi|su|arrivé ... {_ACHIEVE}",
            f"peux|pouvons|suis|parviens|arrive pas ... {_ACHIEVE}",
            f"impossible de ~ {_ACHIEVE}",
            f"pas ~ encore ~ {_DONE}|{_CHANGED}",
            f"pas ~ {_DONE}",
            "échoue|échouent toujours|encore",
            "toujours|encore ~ erreur|cassé|échec",
            "reste|restent ~ à",
            "incomplet|incomplète|inachevé|inachevée|partiel|partielle|partiellement",
            "toujours|encore ~ pas",
            "pas tous ~ tests",
            "bloqué|abandonné",
            "manqué|plus de temps",
        ),
        Kind.INTENT: ("je vais", "nous allons", "laissez|laisse moi", "en cours"),
        Kind.UNCHECKED: ("☐",),
        Kind.CONDITION: (
            "si|s il|lorsque|quand|dès|jusqu",
            "une fois que",
            "après avoir",
            "pour que",
            "afin que|de",
            "merci|veuillez",
            "faut|doit|doivent",
            "assurer|assurez|vérifiez",
            "comment",
        ),
        Kind.UNREAL: ("sera|seront|serait|pourrait|pourra|peut|aurait", "va|vais|allons", "à|être"),
        Kind.NARRATIVE: (
            "d abord",
            "initialement|auparavant|avant|précédemment",
        ),
        Kind.PAST: ("était|étaient|échouait|échouaient|avait|avaient",),
        Kind.EXCEPTION: ("sauf|excepté|hormis", "à l exception", "à part"),
        Kind.EXCUSE: (
            "préexistant|préexistants|préexistante",
            "déjà avant",
            "avant mes|ma|ce|cette",
            "sans rapport|lien",
            "ignoré|ignorés",
        ),
        Kind.REST: ("autre|autres|reste",),
        Kind.IDIOM: ("pas seulement", "sans problème"),
    },
)
