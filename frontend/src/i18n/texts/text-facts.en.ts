/** What was found out about a text. */
export const runs = {
  fitting: {
    shortened: 'It had {{count, number}} characters, {{limit, number}} fit: the model shortened it.',
    shortened_and_cut: 'It had {{count, number}} characters, {{limit, number}} fit: the model shortened it, and the rest was cut off after a sentence.',
    cut: 'It had {{count, number}} characters, {{limit, number}} fit: it was cut off after a sentence, without the model.',
  },
  promptCut:
    'The model has not read all of the prompt: it is longer than the model’s context, and the model’s server has cut it. Whoever runs that server has to allow a larger context (with Ollama: OLLAMA_CONTEXT_LENGTH, or num_ctx in its Modelfile). A shorter template and shorter notes or inputs help, too.',
  nearest_one: '{{percent}} of it is in the earlier post',
  nearest_other: '{{percent}} of it is in the nearest of the last {{count, number}} posts',
  repetition: {
    rewritten: '{{first}} of the first text was in an earlier post about “{{topic}}”. It was written again, {{percent}} are left.',
    accepted: '{{first}} of the first text was in an earlier post about “{{topic}}”. The second try is still {{percent}} the same. It is used anyway.',
  },
  correction: {
    language: {
      rewritten: 'The first text was in the wrong language. It was written again.',
      accepted: 'The text is in the wrong language, and so was the second try. It is used anyway.',
      failed: 'The text is in the wrong language, and there was no second try. It is used anyway.',
    },
    no_words: {
      rewritten: 'The first text had no words beside hashtags and signs. It was written again.',
      accepted: 'The text has no words beside hashtags and signs, and neither had the second try. It is used anyway.',
      failed: 'The text has no words beside hashtags and signs, and there was no second try. It is used anyway.',
    },
  },
  similarPost: 'See that post',
}
