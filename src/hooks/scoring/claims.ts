// Figures and words whose truth a viewer may ask to see: shares, multiples, money, health. Without accents.
const CLAIMS = [
  /\d[\d.,]{0,15}\s?(?:%|percent|per cent|por ciento)/g,
  /\b\d[\d.,]{0,15}\s?x\b|\b\d[\d.,]{0,15} (?:times|veces)\b/g,
  /[$€£¥]\s?\d[\d.,]{0,15}\s?[km]?\b|\b\d[\d.,]{0,15}\s?(?:[$€£¥]|k\b|dollars|euros|pounds|dolares|pesos|usd|eur)/g,
  /\b(?:get rich|rich quick|passive income|make money|earn money|financial freedom|double your money)\b/g,
  /\b(?:hacerte rico|ingresos pasivos|gana(?:r)? dinero|libertad financiera|duplica(?:r)? tu dinero)\b/g,
  /\b(?:cures?|heals?|lose weight|burn fat|detox|anxiety|depression|diabetes|cancer|miracle)\b/g,
  /\b(?:curas?|sana tu|adelgaza(?:r)?|baja(?:r)? de peso|quema(?:r)? grasa|ansiedad|depresion|milagro(?:so|sa)?)\b/g,
];

/** The first claim of a text that nothing in what was given bears out, or undefined. */
export function unprovenClaim(text: string, given: string): string | undefined {
  const known = ` ${bare(given)} `;
  const said = bare(text);
  const claims = CLAIMS.flatMap((claim) => [...said.matchAll(claim)].map(([found]) => found.trim()));
  return claims.find((claim) => !known.includes(claim));
}

/** Lower case, without accents, and signs of money and shares right at their number. */
function bare(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/\s+/g, ' ');
  return plain.replace(/(?<=\d) (?=[%$€£¥])|(?<=[$€£¥]) (?=\d)/g, '');
}
