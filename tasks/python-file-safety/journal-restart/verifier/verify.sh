# Exit status 0 means that the work does what was asked.
# -I and -S: only the standard library is imported. No exec: whoever kills the checks has failed them.
python3 -I -S -B verifier_tests/checks.py || exit 1
