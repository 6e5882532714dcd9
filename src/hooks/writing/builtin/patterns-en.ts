import type { StyleId } from '../../styles.ts';

/**
 * The topic is alone, next to a colon, or its own sentence, so that any phrase fits. Patterns claim nothing that only the
 * author can know: no figures about the world, no people, no superlatives.
 */
export const ENGLISH_PATTERNS: Readonly<Record<StyleId, readonly string[]>> = {
  curiosity: [
    '{topic}: the part guides leave out.',
    '{topic}. Now the part nobody says out loud.',
    'I kept one note on this: {topic}. Here is what it says.',
    '{topic}: watch what happens when you change one thing.',
    'Look at what is missing first. {topic}.',
    '{topic}, minus everything you have heard already.',
  ],
  question: [
    '{topic}: where would you start?',
    '{topic}: what would you drop first?',
    'Who taught you this, and were they right? {topic}.',
    '{topic}: which part are you still guessing at?',
    'What would you tell a friend in 10 seconds? {topic}.',
    '{topic}: would you do it the same way twice?',
  ],
  storytelling: [
    '{topic}: it began with one wrong turn.',
    'I almost skipped this. {topic}, and what changed my mind.',
    '{topic}. First try: not pretty. Here is the second.',
    'The plan looked fine on paper. Then came this: {topic}.',
    '{topic}: where I stood on Monday, and where I stand now.',
    'Everything was ready except one thing. {topic}, told in order.',
  ],
  urgency: [
    '{topic}: settle this before you go on.',
    'Before your next try, two minutes on this: {topic}.',
    '{topic}. Save this before you need it.',
    'Wait with the next step. This comes first: {topic}.',
    '{topic}: what another week of waiting costs you.',
    'Five minutes now, no scramble later: {topic}.',
  ],
  list: [
    '3 things to check first: {topic}.',
    '{topic}: 3 signs you are on the right track.',
    '{topic}, in 4 steps. The second is easy to skip.',
    '3 questions before you begin: {topic}.',
    'Keep two things, drop one: {topic}.',
    '{topic}: 5 notes I would keep if I lost the rest.',
  ],
  how_to: [
    '{topic}: start with the smallest step.',
    '{topic}: begin without buying anything.',
    'If I had to start over today: {topic}.',
    '{topic}: the version you can try tonight.',
    'Do it badly once, then fix one thing: {topic}.',
    '{topic}: what to do first, and what to leave for later.',
  ],
  mistake: [
    '{topic}: the mistake hides in the first step.',
    'You can do everything right and still miss this. {topic}.',
    '{topic}. Not working? Look here first.',
    '{topic}: finding the mistake takes longer than fixing it.',
    'I would not do it this way again: {topic}.',
    '{topic}: you may be doing step two before step one.',
  ],
  contrarian: [
    '{topic}: I disagree with the usual advice, and here is why.',
    '{topic}: the usual advice skips the hard part.',
    'Put the tools away for a moment. {topic}.',
    '{topic}: what if the shortcut is the long way?',
    'Less of it, but better: {topic}.',
    '“{topic}” is not where I would start.',
  ],
  statistic: [
    '{topic}: put one number on it before you start.',
    'Before any opinion, one number: {topic}.',
    '{topic}: measure it for 7 days, then decide.',
    'Write down today’s number. {topic}, one week later.',
    'One figure tells you if it works: {topic}.',
    '{topic}: how many tries before it stuck?',
  ],
  social_proof: [
    'Ask three people about this and compare the answers: {topic}.',
    '{topic}: what beginners ask, and what they ask a year later.',
    'Someone you know is stuck on this: {topic}.',
    '{topic}: who around you does this well, and what do they skip?',
    'Read the comments before you copy anyone. {topic}.',
    '{topic}: what would you ask me first?',
  ],
  challenge: [
    '{topic}: explain it in one sentence. I will wait.',
    '{topic}: guess the answer before I say it.',
    'No notes, 10 minutes, go: {topic}.',
    '{topic}: take the first step before this ends.',
    'Pause here and write down your first move. {topic}.',
    'Seven days, one change. {topic}.',
  ],
  promise: [
    '{topic}: one clear next step, and nothing to buy.',
    'Give me 60 seconds. {topic}.',
    '{topic}, in plain words and without the jargon.',
    'You will leave with one thing to try: {topic}.',
    '{topic}: one example, start to finish, no theory.',
    'By the end you could explain this to a friend: {topic}.',
  ],
};
