"""How large a stored file may be. Sizes are checked before anything is read, so that a hostile file costs nothing."""

MIB = 1024 * 1024

RECORD_MAX_BYTES = 4 * MIB  # a plan of 60,000 runs; read as plain JSON it takes thirty times its size
RUNS_MAX_BYTES = 64 * MIB
RUN_MAX_BYTES = MIB
TRANSCRIPTS_MAX_BYTES = 64 * MIB
TRANSCRIPTS_UNPACKED_MAX_BYTES = 512 * MIB
TRANSCRIPT_TEXT_MAX_BYTES = 64 * 1024
DEPTH_MAX = 32
FLAWS_MAX = 100  # of one file: more help nobody, and a hostile file has millions
FLAWS_SHOWN = 20  # in one message, for the same reason
WORDS_MAX = 400  # characters said about one flaw, which may quote a hostile text
