import { lowestFifth, readTrios, scorePairs, shareRight } from './score-eval.ts';

// Prints the figures of the score, and the pairs that it gets wrong: `npm run eval:hooks`. The texts of the held-out pairs
// stay hidden, so that the rules are not tuned to them.

for (const file of ['pairs', 'held-out'] as const) {
  const pairs = scorePairs(readTrios(file));
  const bar = lowestFifth(pairs);
  const nonsense = pairs.filter(({ kind }) => kind === 'nonsense');
  const above = nonsense.filter(({ points: [, weak] }) => weak > bar);
  const ofKind = (kind: string) => (100 * shareRight(pairs.filter((pair) => pair.kind === kind))).toFixed(1);
  console.log(
    `${file}: ${pairs.length} pairs, ${(100 * shareRight(pairs)).toFixed(1)} % right`,
    `(bland ${ofKind('bland')}, nonsense ${ofKind('nonsense')});`,
    `${above.length} of ${nonsense.length} nonsense above the 20th percentile (${bar})`,
  );
  if (file === 'held-out') continue;
  for (const { kind, strong, weak, points } of pairs)
    if (points[0] <= points[1] || (kind === 'nonsense' && points[1] > bar))
      console.log(`  ${kind} ${points.join(' : ')}  ${strong}  |  ${weak}`);
}
