import lists from './topic-words.en.json' with { type: 'json' };
import { wordSet } from './word-lists.ts';

const NEWS_WORDS = wordSet(lists.newsWords);
const NEWS_VERBS = wordSet(lists.newsVerbs);
const NEW_NOUNS = wordSet(lists.newNouns);
const FREE_NOUNS = wordSet(lists.freeNouns);
const DATES = wordSet(lists.dates);
const FINITE = wordSet(lists.finite);
const PRONOUN = /^(?:i|im|we|you|they|he|she|it|its)$/;

const OFFER_WORDS = wordSet(lists.offerWords);

/** What a notice is: something to buy or win, something to come to, thanks or a farewell, or other news. */
export type NewsKind = 'offer' | 'event' | 'moment' | 'news';

const OFFER = [
  /\b(?:\d+ ?%|percent|half price|two for one|2 for 1)(?: |$)/,
  /\b(?:on|for|summer|winter|spring|autumn|fall|moving|closing|flash|holiday|weekend|friday|christmas|birthday|sample|stock|our|annual) sale\b|^sale\b/,
  /^(?:join|name|meet|visit|help|vote|win|try|book|follow|shop|get|order|come|choose|pick|see|taste|discover) (?:\w+ )?(?:our|my|us|me|one of our)\b|^win (?:an?|your|one|two|\d+) /,
  /^(?:open call|call for)\b|\b(?:early bird|limited edition|free of charge|gift with purchase)\b|^only \d+ |\b(?:spots?|seats?|tickets?|places?) left\b|^last (?:call|chance|spots?|tickets|few)\b/,
];
const MOMENT =
  /^(?:thank you|thanks|saying (?:goodbye|farewell)|goodbye|farewell|in memory|celebrating|closing (?:our|my))\b|\b(?:farewell|goodbye)\b/;
const EVENT =
  /\b(?:open (?:day|house|studio|workshop|evening|mic)|workshop|class|course|live|q&a|webinar|signing|concert|fair|market|stall|pop-up|popup|party|tasting|exhibition|meetup|reading|screening|show|talk|tour|festival|fundraiser|brunch|dinner|quiz|evening|night|opening)\b/;
// How a notice begins, or what only a notice says.
const NOTICE = [
  /^(?!back to school)(?:closed|open|reopening|back|available|coming|sold|shipping) (?:for|on|in|at|until|from|out|soon|now|to|again)\b/,
  /^(?:closing|opening) (?:early|late|our|my|for|on|at|down|soon|time|hours|day|party|sale)\b/,
  /^(?:now|just|coming soon|introducing|announcing|meet (?:our|the)|last (?:orders|days?)|first look) ?/,
  /^(?!\w+ing ).* orders$/,
  /\b(?:is|are) (?:now )?(?:open|closed|live|here|back|available|full|ready|sold out|coming)\b/,
  /^(?:launching|retiring|discontinuing) /,
  /\b(?:opening|holiday|summer|winter) hours\b|\b(?:grand|soft) opening\b|\bopen (?:day|house|studio|workshop)\b/,
  /\b(?:back in stock|sold out|live q&a|new stock|book signing|order cutoff|job opening)\b/,
];
const BEFORE_DATE = /^(?:on|this|next|until|till|by|before|from|starting|every|tonight|tomorrow)$/;
const DETERMINER = /^(?:an?|the|my|our|two|three|\d+)$/;

/**
 * What a phrase announces that the person who posts offers or tells: 'free shipping this week', 'closing early on Friday',
 * 'we are moving'; undefined when it is none. `plain` are its words in small letters without apostrophes.
 */
export function newsKind(label: string, plain: readonly string[]): NewsKind | undefined {
  const small = label.toLowerCase().replace(/’/g, "'");
  if (MOMENT.test(small)) return 'moment';
  const isOffer = plain.some((word) => OFFER_WORDS.has(word)) || isFree(plain);
  if (isOffer || OFFER.some((offer) => offer.test(small))) return 'offer';
  if (tellsOfUs(small, plain) || tellsWhatHappens(plain)) return 'news';
  if (hasDate(plain)) return EVENT.test(small) ? 'event' : 'news';
  const isNotice = NOTICE.some((notice) => notice.test(small)) || plain.some((word) => NEWS_WORDS.has(word));
  return isNotice || isNew(plain) ? 'news' : undefined;
}

/** A sentence about the poster or something new: 'we are moving', 'our second shop opens in May'. */
function tellsOfUs(small: string, plain: readonly string[]): boolean {
  if (/^(?:we|i|we're|i'm|we've|i've|we'll|i'll)\b/.test(small)) return true;
  const isOurs = /^(?:our|my|new|the|first)$/.test(plain[0] ?? '');
  const end = plain.findIndex((word) => /^(?:who|that|which|where)$/.test(word));
  const main = plain.slice(2, end === -1 ? plain.length : end);
  return isOurs && main.some((word) => NEWS_VERBS.has(word) || (FINITE.has(word) && !PRONOUN.test(word)));
}

/** A whole sentence about someone or something: "Rosie's Bakery turns 10", 'morning yoga class starts in September'. */
function tellsWhatHappens(plain: readonly string[]): boolean {
  const end = plain.findIndex((word) => CLAUSE.test(word));
  const main = end === -1 ? plain : plain.slice(0, end);
  return main.some((word, at) => {
    if (at === 0 || NO_SUBJECT.test(main[at - 1] ?? '')) return false;
    return CLEAR_VERBS.has(word) || (TIMED_VERB.test(word) && isTime(plain.slice(at + 1)));
  });
}

// Before a verb stands what it is about: no preposition and no article.
const NO_SUBJECT =
  /^(?:of|for|in|at|on|with|to|from|by|about|an?|the|my|our|your|his|her|their|no|more|most)$/;
const CLAUSE = /^(?:who|that|which|where|when|if|how|why|what|and|or|to|vs)$/;
// None of these is a noun in the plural too, as 'returns' and 'drops' are.
const CLEAR_VERBS = wordSet(lists.clearNewsVerbs);
// Verbs where a time follows: 'starts in May', 'turns 10', but not 'cold starts in winter'.
const TIMED_VERB =
  /^(?:starts|ends|launches|lands|moves|turns|ships|opened|closed|launched|moved|arrived|joined|started)$/;

function isTime([first = '', ...rest]: readonly string[]): boolean {
  const [next = '', date = ''] = rest;
  if (!/^(?:in|on|at|this|next|from|until|by|for|after)$/.test(first)) return isDate(first);
  return isDate(next === 'the' ? date : next);
}

const NUMBER = /^(?:\d.*|one|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|fifty)$/;
const isDate = (word: string) => DATES.has(word) || NUMBER.test(word);

/** 'new website', 'a new flavor', 'our new workshop'. */
function isNew([first = '', ...rest]: readonly string[]): boolean {
  if (first === 'new') return rest.slice(0, 3).some((word) => NEW_NOUNS.has(word));
  if (!DETERMINER.test(first) || rest[0] !== 'new') return false;
  return first === 'our' || first === 'my' || rest.slice(1, 4).some((word) => NEW_NOUNS.has(word));
}

const isFree = (plain: readonly string[]) =>
  plain.some(
    (word, at) =>
      word === 'free' &&
      plain[at - 1] !== 'for' &&
      plain.slice(at + 1, at + 4).some((next) => FREE_NOUNS.has(next)),
  );

/** 'a workshop on Saturday', 'an open evening next week'. */
const hasDate = (plain: readonly string[]) =>
  plain.some((word, at) => {
    const next = plain[at + 1] ?? '';
    if (at === 0) return false;
    return BEFORE_DATE.test(word) && DATES.has(next === 'the' ? (plain[at + 2] ?? '') : next);
  });
