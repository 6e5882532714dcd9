/** Decimals of a currency's amounts. A code that is not known has two, as nearly all have. */
export function currencyScale(currency: string): number {
  const code = currency.toLowerCase();
  if (WHOLE.includes(code)) return 0;
  return THOUSANDTHS.includes(code) ? 3 : 2;
}

// As ISO 4217 has it. Intl does not serve: it leaves out decimals that are seldom paid in cash, such as those of the Serbian dinar.
const WHOLE = 'bif clp djf gnf isk jpy kmf krw pyg rwf ugx vnd vuv xaf xof xpf'.split(' ');
const THOUSANDTHS = 'bhd iqd jod kwd lyd omr tnd'.split(' ');
