/** What was found out about a text. */
export const runs = {
  fitting: {
    shortened: 'Er hatte {{count, number}} Zeichen, {{limit, number}} passen: Das Modell hat ihn gekürzt.',
    shortened_and_cut: 'Er hatte {{count, number}} Zeichen, {{limit, number}} passen: Das Modell hat ihn gekürzt, der Rest wurde nach einem Satz abgeschnitten.',
    cut: 'Er hatte {{count, number}} Zeichen, {{limit, number}} passen: Er wurde ohne das Modell nach einem Satz abgeschnitten.',
  },
  promptCut:
    'Das Modell hat nicht den ganzen Auftrag gelesen: Er ist länger als der Kontext des Modells, und dessen Server hat ihn gekürzt. Wer diesen Server betreibt, muss einen größeren Kontext erlauben (bei Ollama: OLLAMA_CONTEXT_LENGTH, oder num_ctx im Modelfile). Auch eine kürzere Vorlage und kürzere Notizen oder Eingaben helfen.',
  nearest_one: '{{percent}} davon stehen im früheren Beitrag',
  nearest_other: '{{percent}} davon stehen im ähnlichsten der letzten {{count, number}} Beiträge',
  repetition: {
    rewritten: '{{first}} des ersten Textes standen in einem früheren Beitrag über „{{topic}}“. Er wurde neu geschrieben, {{percent}} sind geblieben.',
    accepted: '{{first}} des ersten Textes standen in einem früheren Beitrag über „{{topic}}“. Auch der zweite Versuch gleicht ihm zu {{percent}}. Er wird trotzdem verwendet.',
  },
  correction: {
    language: {
      rewritten: 'Der erste Text war in der falschen Sprache. Er wurde neu geschrieben.',
      accepted: 'Der Text ist in der falschen Sprache, auch im zweiten Versuch. Er wird trotzdem verwendet.',
      failed: 'Der Text ist in der falschen Sprache, einen zweiten Versuch gab es nicht. Er wird trotzdem verwendet.',
    },
    no_words: {
      rewritten: 'Der erste Text bestand nur aus Hashtags und Zeichen. Er wurde neu geschrieben.',
      accepted: 'Der Text besteht nur aus Hashtags und Zeichen, auch im zweiten Versuch. Er wird trotzdem verwendet.',
      failed: 'Der Text besteht nur aus Hashtags und Zeichen, einen zweiten Versuch gab es nicht. Er wird trotzdem verwendet.',
    },
  },
  similarPost: 'Beitrag ansehen',
}
