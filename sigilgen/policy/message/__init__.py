"""What an agent says in its final message: text to sentences, sentences to signals, one vocabulary per language."""
