"""English."""

from sigilgen.policy.message.vocabulary import Kind, Vocabulary

_CHANGED = (
    "adapted|added|adjusted|aligned|annotated|appended|applied|attached|automated|backported|batched"
    "|built|bumped|cached|centralised|centralized|changed|clarified|cleaned|combined|committed"
    "|configured|consolidated|converted|copied|covered|created|decoupled|deduplicated|defined|deleted"
    "|deployed|deprecated|documented|downgraded|dropped|eliminated|enabled|escaped|excluded|expanded"
    "|exposed|extended|extracted|factored|filled|filtered|flattened|formatted|generated|guarded"
    "|hardened|hoisted|implemented|improved|included|inlined|inserted|installed|integrated|introduced"
    "|isolated|linked|localised|localized|locked|memoised|memoized|merged|migrated|modified|moved"
    "|narrowed|normalised|normalized|optimised|optimized|overhauled|parametrised|parametrized|patched"
    "|persisted|pinned|ported|prevented|produced|propagated|published|pushed|rebuilt|redesigned|reduced"
    "|refactored|regenerated|registered|reimplemented|relaxed|relocated|removed|renamed|reordered"
    "|replaced|restored|restructured|rewired|reworded|reworked|rewritten|rewrote|sanitised|sanitized"
    "|saved|separated|shortened|simplified|standardised|standardized|stripped|submitted|substituted"
    "|swapped|switched|tightened|translated|trimmed|tweaked|unified|updated|upgraded|vectorised"
    "|vectorized|wired|wrapped|written|wrote"
)
_FIXED = "fixed|resolved|solved|corrected|repaired|addressed"
_DONE = "done|complete|completed|finished"
_NOW_DOES = (
    "accept|accepts|add|adds|allow|allows|behaves|calls|check|checks|clear|clears|compares|counts|covers|creates|evicts"
    "|falls|handle|handles|holds|ignores|includes|keeps|loads|logs|matches|prints|produces|raises|reads|rejects"
    "|removes|reports|respects|return|returns|saves|sends|shows|skips|sorts|stores|support|supports|takes|throws"
    "|treats|use|uses|validates|waits|writes"
)
_PASS = "pass|passes|passed|passing|succeed|succeeds|succeeded|green|clean|happy|ok"  # noqa: S105  (not a password)
_FAIL = "fail|fails|failed|failing"
_ACHIEVE = (
    "add|apply|build|complete|continue|convert|do|figure|finish|fix|get|implement|locate|make"
    "|migrate|pass|proceed|reach|recover|resolve|restore|satisfy|solve"
)

ENGLISH = Vocabulary(
    language="en",
    common=(
        "a about above after again all also an and another any are as at available back be because been before"
        " being below between both but by call can change code come could did do does each else even every few"
        " file first for found from function get go had happen has have he hello help here how i if in instead"
        " into is it its just keep last let like line look made make makes many may me might more most move much"
        " must my name need new next no not now of off on once one only or other our out over please put read"
        " return run same say see should since so some something stay still such take than that the their them"
        " then there these they thing this those three through to too try two under understood until up us use"
        " used user uses value very want was way we well were what when where which while who why will with"
        " without would yep yes you your"
    ),
    numbers="one two three four five six seven eight nine ten eleven twelve several",
    negations="not no none nothing never neither nor without nobody hardly 0 zero",
    contrasts="but however although though yet",
    joints="and so because then",
    phrases={
        Kind.CLAIM: (
            "✅",
            "^ done $",
            "all|is|are|am|been|everything|task|work|already done $",
            "done now|here",
            f"is|are|am|been|now complete|{_FIXED}|completed|finished",
            f"is|are|am|been|now|both|all now|all|already|also|fully|completely|successfully complete|{_DONE}|{_FIXED}",
            f"task|work|implementation|migration|refactoring|job|change|changes|feature|status|setup ~ {_DONE}",
            "^ finished|completed $",
            "^ all finished",
            f"i|we ~ completed|finished|{_FIXED}",
            f"^ {_FIXED}",
            f"bug|issue|problem|error|crash|race|leak ~ {_FIXED}",
            "have|has|been|was|were|completed|finished successfully",
            "successfully completed|implemented|fixed|resolved|updated|added|created",
            "works|working|work now|again|correctly|fine|properly|well",
            "works|working|work as expected|intended|designed",
            "everything|it|that|this|all ~ works",
            f"should|ought ~ work|pass|{_FIXED}|do",
            "now works|work|working|passes|pass|passing|succeeds|compiles|builds|runs",
            "this|that|it|which|change|patch|commit ~ fixes|resolves|solves|addresses",
            f"test|tests|suite|checks|build|ci|pipeline|everything|assertions|run|lint|types ... {_PASS}",
            "it|they|all|code|which passes|pass now|again|$",
            f"are|is {_PASS} $",
            "everything compiles|builds|passes",
            "it|code passes now",
            "good|ready|set to go",
            "ready for|to ~ review|merge|use|ship|deploy",
            "all set",
            "mission accomplished",
            "looks good",
            "does now",
            "fixes it|this|that|the",
            "all ~ green|happy",
            "no|zero|0|without ~ failures|failed|failing|failure",
            "is|are|all|everything done except|apart|save|besides",
            "no longer fails|fail|failing|crashes|crash|hangs|happens|occurs|raises|leaks",
            "nothing ~ left to do",
            "already behaves|works|handles|implemented|passes|does",
            "no changes ~ needed|necessary|required",
        ),
        Kind.REPORT: (
            f"i|we ~ {_CHANGED}",
            f"^ {_CHANGED}",
            f"has|have been ~ {_CHANGED}",
            f"was|were ~ {_CHANGED}",
            f"is|are now ~ {_CHANGED}",
            f"and|also {_CHANGED}",
            f"now ~ {_NOW_DOES}",
            f"{_NOW_DOES} ... now",
            f"no longer {_NOW_DOES}",
            "is|are in $",
            "is|are in place",
            "is|are gone",
            "is|are ~ implemented",
            "# passed|passing",
            "it|they prints|works|passes",
            "as ~ requested|asked",
        ),
        Kind.FAILURE: (
            "❌",
            "tests|test|suite|build|ci|pipeline ~ fail|fails|failed|hangs|crashes",
            "tests|test|suite|build|ci|pipeline|which ~ are|is ~ failing|red|broken",
            "# fail|fails",
            "# failed|failing $",
            "# failed|failing in|on|with",
            "# tests|test|cases|of|assertions ~ fail|fails|failed",
            "# tests|test|of ... are|is failing",
            "# failure|failures|errors",
            "` fail|fails",
            "^ fails",
            "does|do not ~ work|pass|compile|build",
            "is|are|does|do not $",
            "keep|keeps failing|crashing|hanging",
            "is|are broken",
        ),
        Kind.ADMISSION: (
            f"i|we ~ could|can not ~ {_ACHIEVE}",
            f"^ could|can not ~ {_ACHIEVE}",
            "i|we ~ could|can not ~ find|work|see ... out|why|cause|reason|way|solution|fix|anywhere",
            "i|we ~ can not ~ help|assist|say",
            f"i|we am|are|was|were ~ unable to ... {_ACHIEVE}",
            f"i|we am|are|was|were|have not ~ able to ... {_ACHIEVE}",
            f"^ unable to ~ {_ACHIEVE}",
            f"i|we ~ failed to ~ {_ACHIEVE}",
            f"i|we ~ not manage|managed to ~ {_ACHIEVE}",
            "i|we ~ never ~ got|managed",
            "can not be done|completed|finished|fixed|solved|implemented",
            "out of time|budget|context|tokens|turns",
            "reached ~ limit",
            "i|we|am ~ gave|give|giving up",
            "have|has yet to",
            "not ~ fix|solution $",
            "only|just a workaround",
            "i ~ made a mistake",
            "i am ~ stuck|blocked",
            "i|we stopped $|at|here|before|because",
            "had to stop",
            "i|we ~ not ~ get|getting|got to|around",
            "not ~ reached|met|satisfied|achieved|possible",
            "not ~ changed|modified anything $",
            "nothing ~ been|was modified|changed",
            "# out of #",
            "# of ~ tests|test|cases ... pass|passes|passed|passing",
            "^ pending|missing|outstanding ,",
            "what is missing",
            "commented out",
            "is|are|remains|work|status|still|here ~ incomplete|unfinished|unresolved",
            "half done|finished|written|working|converted",
            "about half of",
            "is|are|only|was ~ partial|partially|partly",
            "only part|partly|half|partially",
            f"not ~ {_DONE}|{_FIXED}|working|passing|implemented|started|converted",
            f"still ~ {_FAIL}|broken|wrong|red|crashes|hangs|happens|errors|error|missing|open|need|needs|on",
            "still|left|remains to ~ do|done",
            "failure|failures|error|errors|bug|issue|problem|cause|crash|leak ... remain|remains|left|persists",
            "does not work yet",
            "needs|need|requires|require more work|time",
            "needs|need work",
            "some|most|half|many|few ... pass|passes|passing|passed",
            "some|most|half|many|few ~ tests ~ fail|failing|failed",
            "all|everything but #",
            "i|we ~ skipped|disabled ~ failing|broken",
            "only|just ~ stub|stubs|placeholder|skeleton",
            "not ~ know ~ why|how|what|where",
            "not ~ have ~ fix|time|solution",
            "i|we not understand",
            "nothing ~ was|is|has ~ implemented|done|fixed",
            "introduced|introduces ~ regression",
            "i|we ~ reverted",
            "would need ~ guidance|help|input",
        ),
        Kind.INTENT: (
            "let me",
            "let us",
            "i|we ~ will ~ now|next|then|start|begin|run|add|fix|check|look|keep|implement|write|update",
            "i|we ~ going to",
            "^ next|now , i|we|let",
            "waiting for",
            "i am ~ currently|now",
            "^ running|checking|looking|starting",
            "i would like to",
        ),
        Kind.UNCHECKED: ("☐",),
        Kind.CONDITION: (
            "if|unless|whether|assuming|provided|until|how",
            "once|after|before|when you|the|that|it|this|we|a|an",
            "whenever",
            "let me know",
            "please run|check|review|approve|let|test|try|make|add|set|install",
            "so that",
            "make|making|be sure",
            "ensure|ensuring|verify|confirm",
            "goal|want|wants|must|wish",
            "in order to",
            "to have|get|make|let",
            "feel free",
            "says|said|reads|states|stating|asserts that|the|it",
        ),
        Kind.UNREAL: ("will|would|could|might|may|can|shall", "going to", "to be"),
        Kind.NARRATIVE: ("at first", "initially|originally|previously|earlier|beforehand", "first attempt|try|version"),
        Kind.PAST: ("was|were|kept|had", "used to"),
        Kind.RELATIVE: ("that|which|would|without|before",),
        Kind.EXCEPTION: ("except|besides|excluding|barring", "apart|aside from", "other than", "with # exception"),
        Kind.EXCUSE: (
            "pre existing|dating",
            "preexisting|unrelated|flaky|baseline",
            "is|are ~ skipped",
            "already fail|failing|failed|broken",
            "before my|this|these|the change|changes|work",
            "without my|this|these",
            "on main|master",
            "clean checkout",
            "nothing to do with",
            "not related",
            "as expected",
            "expected to fail",
            "not caused by",
            "optional",
        ),
        Kind.REST: ("other|others|rest|remaining|else",),
        Kind.IDIOM: ("not only|just|least", "no problem|longer"),
    },
)
