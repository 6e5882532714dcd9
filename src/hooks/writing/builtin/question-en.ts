// A question by its order of words, unlike 'why handmade costs more'.
const AUXILIARY = '(?:is|are|can|should|do|does|did|will|would|could)';
export const ASKED = new RegExp(
  `^(?:am|${AUXILIARY}) |^(?:(?:why|how|what|when|where|who)|how (?:long|often|far|old|big|soon|hard|fast|late|much|many)) ${AUXILIARY} |` +
    `^(?:how|what|which)\\b.* ${AUXILIARY} (?:i|we|you|they|it|he|she|an?|the|my|our|your|this|that|these) `,
  'i',
);

// The writer alone knows the answer: 'why we stopped using plastic', 'what my grandmother taught me'.
export const tellsOfSelf = ([first = '', second = '']: readonly string[]) =>
  /^(?:why|how|what|when|where|who|which)$/.test(first) &&
  /^(?:we|i|our|my)$/.test(second) &&
  !(first === 'why' && second === 'my');
