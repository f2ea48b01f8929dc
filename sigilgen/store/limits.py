"""How large a stored file may be. Sizes are checked before anything is read, so that a hostile file costs nothing."""

MIB = 1024 * 1024

RECORD_MAX_BYTES = 16 * MIB
RUNS_MAX_BYTES = 64 * MIB
RUN_MAX_BYTES = MIB
TRANSCRIPTS_MAX_BYTES = 64 * MIB
TRANSCRIPTS_UNPACKED_MAX_BYTES = 512 * MIB
TRANSCRIPT_TEXT_MAX_BYTES = 64 * 1024
DEPTH_MAX = 32
