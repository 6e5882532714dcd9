import lists from './topic-words.es.json' with { type: 'json' };
import { wordSet } from './word-lists.ts';

// What the person who posts announces or offers: «cerramos por vacaciones», «nuestro nuevo horario», «20 % en velas».

const NOUNS = wordSet(lists.classes.news);
const OPENERS = wordSet(lists.news.openers);
const NOT_WE = wordSet(lists.news.notWe);
const DEALS = wordSet(lists.news.deals);
const PARTIES = wordSet(lists.news.parties);
const CALLS = wordSet(lists.news.calls);
const WANTED = wordSet(lists.news.wanted);
const NOTICES = wordSet(lists.news.notices);
const LAUNCHES = wordSet(lists.news.launches);
const SEASONS = wordSet(lists.news.seasons);
const EVENTS = wordSet(lists.news.events);
const SIGN_UPS = wordSet(lists.news.signUps);

const OURS = /^(?:nuestr[oa]s?|mis?)$/;
const NEW = /^nuev[oa]s?$/;
const DAY =
  '(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo|finde|fin de semana|mes|semana|tarde|noche)';
const DATE = new RegExp(
  `. (?:el|este|esta|próximo|próxima|el próximo|hasta el|desde el|solo el) (?:${DAY}(?: |$)|\\d+ de \\p{L}+)|. (?:solo )?(?:hoy|mañana)$`,
  'u',
);
const DISCOUNT = /\d\s?%|\b\d\s?[x×]\s?\d\b|\b3 por 2\b|\bmitad de precio\b| con descuento$| rebajad[oa]s?$/;
const PRICE = / a \d+ ?(?:€|euros?)(?: |$)/;
const CHANGE =
  /^(?:cambios?|traspaso|fin|vuelta) de (?:dueñ[oa]|local|horario|nombre|fecha|dirección|precios|temporada|carta|imagen|propietari[oa])/;
const YEARS =
  /^\d+ años (?:de|con|en|en el|de la|de nuestr[oa]|del|juntos) ?(?:tienda|negocio|empresa|taller|historia|oficio|panadería|librería|cafetería|barrio|aquí|vosotros|ti)?$/;

const FREE = /(?:^envíos? |^entrada | )(?:gratis|gratuit[oa]s?)(?: |$)/;
const MONTH =
  /^(?:taller|curso|charla|clase)(?:e?s)? .* en (?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)$/;
const SEATS = / plazas (?:libres|disponibles|limitadas)$/;
const PHRASES = [SEATS, CHANGE, YEARS, DATE, DISCOUNT, FREE, PRICE, MONTH];

/** Whether the one who posts announces or offers it; the words are in small letters. */
export function isNews(plain: readonly string[]): boolean {
  return saysSo(plain) || namesNews(plain) || PHRASES.some((phrase) => phrase.test(plain.join(' ')));
}

/** «Cerramos por vacaciones», «me mudo», «quedan tres plazas», «se jubila nuestro carnicero». */
function saysSo(plain: readonly string[]): boolean {
  const [first = '', second = ''] = plain;
  if (plain.some((word, at) => isOfUs(word, at, plain)) || OPENERS.has(first)) return true;
  if (first === 'me') return /^(?:han?|he|\p{L}*(?:o|oy))$/u.test(second);
  // «Prueba nuestro helado».
  if (/^nuestr[oa]s?$/.test(second)) return !/^(?:de|con|para|por|sobre|en|a)$/.test(first);
  return /^(?:se|nos)$/.test(first) && !/^(?:puede|debe|dice|sabe)/.test(second);
}

/** «Rebajas de enero», «nuestro horario», «nueva carta», «la nueva carta». */
function namesNews([first = '', second = '']: readonly string[]): boolean {
  if (NEW.test(first)) return second !== 'tecnologías';
  if (/^(?:gran|próxim[oa]s?)$/.test(first))
    return NOUNS.has(second) || EVENTS.has(second) || SIGN_UPS.has(second);
  if (OURS.test(first)) return NEW.test(second) || NOUNS.has(second);
  return NOUNS.has(first) || (/^(?:el|las?|los)$/.test(first) && NEW.test(second));
}

type NewsKind = 'deal' | 'event' | 'signup' | 'notice' | 'launch' | 'wanted' | 'call' | 'party' | 'other';

/** The slot of its patterns: «se jubila nuestro carnicero» is `other`, and has those that suit all. */
export function newsKind(plain: readonly string[]): NewsKind {
  const [first = ''] = plain;
  const has = (words: ReadonlySet<string>) => plain.some((word) => words.has(word));
  const kinds: readonly (readonly [NewsKind, boolean])[] = [
    ['deal', DISCOUNT.test(plain.join(' ')) || has(DEALS)],
    ['call', CALLS.has(first) && !has(NOTICES)],
    ['wanted', has(WANTED)],
    ['signup', SIGN_UPS.has(first)],
    ['party', has(PARTIES)],
    ['event', EVENTS.has(first) || /^próxim/.test(first)],
    ['notice', has(NOTICES)],
    ['other', has(SEASONS)],
    ['launch', has(LAUNCHES) || plain.some((word) => NEW.test(word))],
  ];
  return kinds.find(([, isOfKind]) => isOfKind)?.[0] ?? 'other';
}

/** A verb of the first person plural, such as «abrimos», that is no part of a description: «velas que vendemos». */
function isOfUs(word: string, at: number, plain: readonly string[]): boolean {
  if (!/(?:[aei]mos|^somos)$/.test(word) || NOT_WE.has(word)) return false;
  const before = plain[at - 1] ?? '';
  if (before === 'que') return plain[at - 2] === 'por';
  return !/^(?:el|los|las|la|un[oa]?s?|de|con|mis|sus|donde|cuando|como)$/.test(before);
}
