import { isObject, type Json, type JsonObject } from '../../src/videos/templates/data-schema.ts';

/** Words of languages that are written from right to left. */
const WORDS = {
  ar: 'مرحبا بكم في متجرنا الصغير حيث نصنع كل قطعة بأيدينا كل صباح',
  he: 'ברוכים הבאים לחנות הקטנה שלנו שבה כל כלי נוצר ביד בכל בוקר',
};
export type RightToLeft = keyof typeof WORDS;

// Names of pictures, currencies, amounts and addresses stay as they are.
const NO_TEXT = /^(?:\S+\.\w+|[A-Z]{3}|[\d.]+)$/;

/** Data with each text replaced by as many words of the language. */
export function inLanguage(data: JsonObject, language: RightToLeft): JsonObject {
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, translate(value, language)]));
}

function translate(value: Json, language: RightToLeft): Json {
  if (Array.isArray(value)) return value.map((one) => translate(one, language));
  if (isObject(value)) return inLanguage(value, language);
  if (typeof value !== 'string' || NO_TEXT.test(value)) return value;
  return wordsOf(language, value.split(' ').length);
}

export function wordsOf(language: RightToLeft, count: number): string {
  const words = WORDS[language].split(' ');
  return Array.from({ length: count }, (_, at) => words[at % words.length]).join(' ');
}
