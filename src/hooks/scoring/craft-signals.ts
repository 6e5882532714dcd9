import type { Language } from '../text/language.ts';
import { plainText } from '../text/text.ts';

/** What in a text leaves something open, as it stands in the list: a question, a contrast, a missing piece. */
export function cuesOf(text: string, language: Language): string[] {
  const signs = SIGNS.filter((sign) => text.includes(sign));
  const plain = ` ${plainText(text)} `;
  return [...signs, ...CUES[language].filter((cue) => plain.includes(` ${cue} `))];
}

const SIGNS = ['?', '…', '...'] as const;

const CUES: Readonly<Record<Language, readonly string[]>> = {
  en: [
    ...['but', 'not', 'never', 'nobody', 'no one', 'without', 'instead', 'until', 'before', 'still', 'only'],
    ...[
      'stop',
      'wrong',
      'mistake',
      'missing',
      'hidden',
      'skip',
      'skips',
      'why',
      'reason',
      'truth',
      'what happens',
    ],
    ...[
      'almost',
      'except',
      'against',
      'dont',
      'doesnt',
      'isnt',
      'wasnt',
      'cant',
      'wont',
      'didnt',
      'least',
      'quietly',
    ],
    ...[
      'more than',
      'less than',
      'versus',
      'vs',
      'turns out',
      'guess',
      'first',
      'last',
      'lose',
      'costs',
      'wait',
    ],
  ],
  es: [
    ...[
      'pero',
      'no',
      'nunca',
      'nadie',
      'sin',
      'en vez de',
      'en lugar de',
      'hasta que',
      'antes',
      'todavia',
      'solo',
    ],
    ...[
      'deja de',
      'mal',
      'error',
      'errores',
      'falta',
      'oculto',
      'escondido',
      'por que',
      'razon',
      'verdad',
      'casi',
    ],
    ...[
      'salvo',
      'excepto',
      'contra',
      'tampoco',
      'ni',
      'menos',
      'mas que',
      'sino',
      'resulta',
      'adivina',
      'primero',
    ],
    ...['ultima', 'ultimo', 'pierdes', 'cuesta', 'espera', 'aun', 'que pasa'],
    ...[
      'se salta',
      'se saltan',
      'se esconde',
      'saltarse',
      'suelta',
      'desvio',
      'a punto de',
      'atascado',
      'a ojo',
    ],
  ],
};
