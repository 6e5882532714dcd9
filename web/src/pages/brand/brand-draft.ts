import type { Input, Output } from '../../api/operation.ts';
import type { getBrand, importBrand, saveBrand } from '../../api/operations.gen.ts';

export type Brand = Output<typeof getBrand>;
export type Proposal = Output<typeof importBrand>['proposal'];

/** A brand as the fields of a form: `colors.primary` → `#12543f`. What is not set is absent. */
export type Draft = Readonly<Record<string, string>>;

export const COLORS = ['primary', 'accent', 'background', 'text'] as const;
export const LOGOS = ['light', 'dark'] as const;
export const FONTS = ['heading', 'body'] as const;
export const VOICE_TEXTS = ['tone', 'audience', 'do', 'avoid'] as const;

const PLAIN = ['name', 'address', 'unsubscribe_url', 'footer'] as const;
const GROUPS = ['logos', 'colors', 'fonts', 'voice', 'links'] as const;

/** Lists are written as people write them: samples a line each, the rest with commas. */
const LIST_ENDS: Readonly<Record<string, string>> = {
  'voice.samples': '\n',
  'voice.forbidden_words': ', ',
  languages: ', ',
};

export function draftOf(brand: Proposal): Draft {
  const plain = PLAIN.map((name) => [name, brand[name]] as const);
  const grouped = GROUPS.flatMap((group) =>
    Object.entries(brand[group] ?? {}).map(([name, value]) => [`${group}.${name}`, value] as const),
  );
  const entries = [...plain, ...grouped, ['languages', brand.languages] as const];
  return Object.fromEntries(
    entries
      .map(([field, value]) => [field, written(field, value)] as const)
      .filter(([, value]) => value !== ''),
  );
}

function written(field: string, value: string | readonly string[] | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : value.join(LIST_ENDS[field] ?? ', ');
}

/** The fields that differ, in the order of either. */
export function changedFields(saved: Draft, draft: Draft): string[] {
  const names = new Set([...Object.keys(saved), ...Object.keys(draft)]);
  return [...names].filter((name) => (saved[name] ?? '') !== (draft[name] ?? ''));
}

/** What is sent: the changed fields alone, and null for what was emptied. */
export function changeOf(saved: Draft, draft: Draft): Input<typeof saveBrand> {
  const change: Record<string, unknown> = {};
  for (const field of changedFields(saved, draft)) {
    const [group = '', ...rest] = field.split('.');
    const value = sentOf(field, draft[field] ?? '');
    change[group] =
      rest.length === 0 ? value : { ...(change[group] as object | undefined), [rest.join('.')]: value };
  }
  return change as Input<typeof saveBrand>;
}

function sentOf(field: string, text: string): string | string[] | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const end = LIST_ENDS[field];
  if (end === undefined) return trimmed;
  return trimmed
    .split(end.trim() === '' ? end : end.trim())
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
