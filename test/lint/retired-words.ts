/** Where a retired word is looked for. */
export type Scope = 'messages' | 'messages_es' | 'tools' | 'docs' | 'comments' | 'names';

export type RetiredWord = {
  readonly pattern: RegExp;
  readonly scopes: readonly Scope[];
  readonly use: string;
};

const TEXTS = ['messages', 'tools', 'docs'] as const;
const ALL = [...TEXTS, 'comments'] as const;

/** Words and phrases that docs/glossary.md replaced, and what to write in their place. */
export const RETIRED_WORDS: readonly RetiredWord[] = [
  { pattern: /\bmeanwhile\b/iu, scopes: ALL, use: 'name the moment, or delete' },
  { pattern: /\banew\b/iu, scopes: ALL, use: 'again' },
  { pattern: /\bmend(s|ed|ing)?\b/iu, scopes: ALL, use: 'fix' },
  { pattern: /\bsome (seconds|minutes)\b/iu, scopes: ALL, use: 'a few seconds' },
  { pattern: /\blets? go of\b/iu, scopes: TEXTS, use: 'disconnect, release' },
  { pattern: /\bnobody\b/iu, scopes: ALL, use: 'no one; better, say who may' },
  { pattern: /\bwhoever\b/iu, scopes: ALL, use: 'the caller, anyone who' },
  { pattern: /\bof which\b/iu, scopes: TEXTS, use: 'two sentences' },
  { pattern: /\bis (told|asked)\b(?! for)/iu, scopes: TEXTS, use: 'active verb' },
  {
    pattern:
      /\bhave (a|an|the|hooks|template)( \w+){0,2} (written|changed|made)\b|\bhave an outside model\b/iu,
    scopes: TEXTS,
    use: 'generate, edit with AI',
  },
  { pattern: /\bmakes? and unmakes?\b/iu, scopes: TEXTS, use: 'grant or revoke' },
  { pattern: /\b(un)?proved\b/iu, scopes: ALL, use: '(un)verified' },
  { pattern: /\bworn\b/iu, scopes: ['messages', 'tools', 'comments'], use: 'clichéd' },
  { pattern: /\btak(e|es|en) (it |them )?up again\b|\btake up (a|an|the)\b/iu, scopes: TEXTS, use: 'resume' },
  { pattern: /\b(upright|lying)\b/iu, scopes: TEXTS, use: 'portrait, landscape' },
  { pattern: /\bto nobody\b|\bneed do\b/iu, scopes: ['messages'], use: "Don't share; you can ignore" },
  { pattern: /\bleft alone\b/iu, scopes: ALL, use: 'unchanged; paused' },
  { pattern: /\bleast level\b/iu, scopes: TEXTS, use: 'minimum level' },
  { pattern: /\b(has|is no) room\b/iu, scopes: TEXTS, use: 'limit, space' },
  {
    pattern: /\b(one|ones|some) of (its|their|your) own\b|\bof its own\b/iu,
    scopes: TEXTS,
    use: 'its own X',
  },
  { pattern: /\bby itself\b/iu, scopes: ALL, use: 'automatically; alone' },
  { pattern: /\bThere are: \{/u, scopes: ['messages'], use: 'Valid values: {known}' },
  { pattern: /\bThere is no (\w+ )?(\w+ )?['{]/u, scopes: ['messages'], use: 'X not found' },
  {
    pattern:
      /\b(is|are) no (\w+ )?(file|text|path|image|domain|value|template|spreadsheet|backup|lengths|zip)\b/iu,
    scopes: ['messages'],
    use: 'is not a …',
  },
  {
    pattern: /\bno more (calls|PDFs)\b|\bmay do so no more\b/u,
    scopes: ['messages', 'tools'],
    use: 'no longer',
  },
  { pattern: /\bdoes not answer( properly)?\b/iu, scopes: TEXTS, use: 'is not responding' },
  { pattern: /\brefused (our|the|this server)\b/iu, scopes: ['messages', 'tools'], use: 'rejected' },
  { pattern: /\b(the REST door|doors?)\b/u, scopes: ALL, use: 'REST API; transport' },
  { pattern: /\bbrakes?\b/iu, scopes: TEXTS, use: 'safety limits' },
  { pattern: /\bwhat (opens|became of|is left|was made)\b/iu, scopes: ALL, use: 'use the noun' },
  { pattern: /\bSay (in|which|from|it|what|how|more)\b/u, scopes: TEXTS, use: 'Set, Choose, Specify' },
  { pattern: /\ball the same\b/iu, scopes: ALL, use: 'anyway' },
  { pattern: /\bfor good\b/iu, scopes: TEXTS, use: 'permanently' },
  { pattern: /\bunless said\b/iu, scopes: ALL, use: 'by default' },
  { pattern: /\b(gone|goes|went) over\b/iu, scopes: TEXTS, use: 'exceeds' },
  {
    pattern: /\b(A|The|the|this|Many|many) mails?\b(?! (client|program|server))/u,
    scopes: TEXTS,
    use: 'email',
  },
  { pattern: /\bLook (with|on|at)\b/u, scopes: ['messages'], use: 'Check, Review' },
  {
    pattern: /\bstands? (in|at|there|only|between|here)\b|\bcannot stand\b/iu,
    scopes: TEXTS,
    use: 'is in, belongs in',
  },
  { pattern: /\bfor ever\b|\bas usual again\b/iu, scopes: TEXTS, use: 'endless; the default' },
  { pattern: /(?<!docs\/)\bpictures?\b/iu, scopes: TEXTS, use: 'image; screenshot; frame of a video' },
  { pattern: /\b[Ww]ho (ever|still|sends) /iu, scopes: TEXTS, use: 'callers that' },
  { pattern: /\bkeep (how|what)\b/iu, scopes: TEXTS, use: 'save, record' },
  { pattern: /\b(demand|say|tell)[A-Z]\w+/u, scopes: ['names'], use: 'requireX; presentX, localizeX' },
  { pattern: /\bheard(Again|Due)?(?=[:(])/u, scopes: ['names'], use: 'onNotify, onReconnect' },
  {
    pattern: /\b(MOST|AT_ONCE|LONGEST|KEPT_MS|ATTEMPTS)\b/u,
    scopes: ['names'],
    use: 'MAX_<NOUN>, CONCURRENCY, TTL_MS',
  },
  { pattern: /\btype \w*Parts\b/u, scopes: ['names'], use: '…Deps' },
  { pattern: /\b(silence|whole|grace)Ms\b/u, scopes: ['names'], use: 'idleTimeoutMs, totalTimeoutMs' },
  { pattern: /\b\w*(Trouble|Complaint|Flaw)s?\b/u, scopes: ['names'], use: 'Fault, Finding, Warning' },
  {
    pattern: /\b(Craft|Ticket|keepHouse|saysVersion|keepPromise|inTime)\b/u,
    scopes: ['names'],
    use: 'see glossary',
  },
  { pattern: /\b(furnish\w*|ground|storesOver)\b/u, scopes: ['names'], use: 'seedStarterTemplates, base' },
  {
    pattern:
      /\b(Inténtelo|Elija|Envíe|Indique|Revise|Compruebe|Espere|Corrija|Ponga|Quite|Añada|Escriba|Elimine|Consulte|Vuelva|Haga|Inicie|Acorte|Pida|Dé|Use)\b/u,
    scopes: ['messages_es'],
    use: 'tú: inténtalo, elige, envía, usa',
  },
  { pattern: /\b(usted|ustedes)\b|\bIdentifíquese\b/u, scopes: ['messages_es'], use: 'tú; inicia sesión' },
  {
    pattern: /\b(su|sus) (plan|cuenta|clave|cuota|suscripción|tema|rol|sesión|pedido|código|token)\b/iu,
    scopes: ['messages_es'],
    use: 'tu, tus',
  },
  { pattern: /\bficheros?\b/iu, scopes: ['messages_es'], use: 'archivo' },
  { pattern: /\bvídeos?\b/iu, scopes: ['messages_es'], use: 'video' },
  { pattern: /\bpetici(ón|ones)\b/iu, scopes: ['messages_es'], use: 'solicitud' },
  { pattern: /\bpromocion(e|ar|arse|a)\b/iu, scopes: ['messages_es'], use: 'promover' },
  { pattern: /\bse negó\b/iu, scopes: ['messages_es'], use: 'rechazó la solicitud' },
  { pattern: /\bentretanto\b/iu, scopes: ['messages_es'], use: 'mientras tanto; antes' },
  {
    pattern: /\b[Ll]a generación (superó|necesitó|tardó)\b/u,
    scopes: ['messages_es'],
    use: 'el renderizado',
  },
  { pattern: /\bcabeza de main\b/iu, scopes: ['messages_es'], use: 'última versión de main' },
];
