import type { Language } from '../text/language.ts';
import { plainText } from '../text/text.ts';

/** Openings that are too common to attract attention, in the form of `plainText`. */
export const CLICHED_OPENINGS: Readonly<Record<Language, readonly string[]>> = {
  en: [
    'in this video',
    'in todays video',
    'in this post',
    'you wont believe',
    'you will not believe',
    'did you know',
    'have you ever wondered',
    'what if i told you',
    'are you tired of',
    'are you struggling with',
    'lets dive in',
    'lets talk about',
    'in todays world',
    'in todays fast paced',
    'in a world where',
    'hey guys',
    'hi guys',
    'welcome back',
    'today i am going to',
    'today im going to',
    'heres the thing',
    'the secret to',
    'this one trick',
    'one simple trick',
    'unlock the',
    'unlock your',
    'say goodbye to',
    'picture this',
    'stop scrolling',
  ],
  es: [
    'en este video',
    'en el video de hoy',
    'en esta publicacion',
    'no vas a creer',
    'no te vas a creer',
    'no creeras',
    'sabias que',
    'te has preguntado alguna vez',
    'alguna vez te has preguntado',
    'y si te dijera',
    'que pasaria si te dijera',
    'estas cansado de',
    'estas harto de',
    'en el mundo actual',
    'en un mundo donde',
    'hola a todos',
    'hola amigos',
    'bienvenidos',
    'hoy te voy a',
    'hoy vamos a hablar de',
    'hablemos de',
    'el secreto para',
    'el secreto de',
    'descubre el secreto',
    'descubre como',
    'este truco',
    'dile adios a',
    'imagina esto',
    'deja de hacer scroll',
  ],
};

const SUPERLATIVES: Readonly<Record<Language, readonly string[]>> = {
  en: [
    ...['the best', 'the greatest', 'the ultimate', 'the most powerful', 'number one', 'mind blowing'],
    ...['amazing', 'incredible', 'insane', 'unbelievable', 'epic', 'life changing', 'game changing'],
    ...['game changer', 'revolutionary', 'guaranteed', 'foolproof', 'never fails', 'jaw dropping'],
  ],
  es: [
    ...['el mejor', 'la mejor', 'los mejores', 'las mejores', 'lo mejor', 'el mas poderoso', 'numero uno'],
    ...['increible', 'increibles', 'espectacular', 'impresionante', 'impactante', 'alucinante', 'brutal'],
    ...['definitivo', 'definitiva', 'revolucionario', 'revolucionaria', 'garantizado', 'garantizada'],
    ...['infalible', 'infalibles', 'te cambiara la vida', 'nunca falla'],
  ],
};

/** The clichéd opening of a text, or undefined. */
export function clichedOpening(text: string, language: Language): string | undefined {
  const plain = `${plainText(text)} `;
  return CLICHED_OPENINGS[language].find((opener) => plain.startsWith(`${opener} `));
}

/** The first superlative of a text that its topic does not contain, or undefined. */
export function findSuperlative(text: string, topic: string, language: Language): string | undefined {
  const [said, given] = [` ${plainText(text)} `, ` ${plainText(topic)} `];
  return SUPERLATIVES[language].find((word) => said.includes(` ${word} `) && !given.includes(` ${word} `));
}
