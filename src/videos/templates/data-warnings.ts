import { parse as parseColor, wcagContrast } from 'culori';
import type { Warning } from '../../language.ts';
import { closest } from '../../platform/closest.ts';
import { isObject, type Json, type JsonObject } from './data-schema.ts';
import type { Manifest } from './video-template.ts';

type Fields = {
  readonly manifest: Pick<Manifest, 'schema' | 'defaults' | 'sample'>;
  /** Names that the HTML reads, such as `brand.color`. */
  readonly variables: readonly string[];
};

type Path = readonly (string | number)[];

const MAX_WARNINGS = 20;
const MAX_SHOWN_CHARS = 60;
const MAX_KNOWN = 20;
/** Contrast that WCAG requires of shapes that carry meaning. */
const MIN_CONTRAST = 3;
/** Every template may read these. */
const COMMON_FIELDS = ['title', 'locale'];

/**
 * Warnings about valid data: fields that the template does not know, values that are not colors, and colors
 * that can't be told from the background.
 */
export function dataWarnings(fields: Fields, data: JsonObject): Warning[] {
  const found = [...unknownFields(data, rootSchema(fields), ['data']), ...unreadableColors(data, ['data'])];
  return [...found, ...lowContrast(fields.manifest.defaults, data)].slice(0, MAX_WARNINGS);
}

/** The template's schema; one without fields knows what the HTML, the defaults and the sample name. */
function rootSchema({ manifest: { schema, defaults, sample }, variables }: Fields): JsonObject {
  const described = isObject(schema['properties']) ? schema['properties'] : {};
  const isOpen = schema['additionalProperties'] !== undefined && schema['additionalProperties'] !== false;
  const read = variables.map((name) => name.split(/[.[]/, 1)[0] ?? '');
  const others = [...COMMON_FIELDS, ...Object.keys(defaults), ...Object.keys(sample), ...read];
  const properties = { ...Object.fromEntries(others.map((name) => [name, {}])), ...described };
  return { properties, ...(isOpen && { additionalProperties: true }) };
}

function unknownFields(value: Json, schema: Json | undefined, path: Path): Warning[] {
  if (!isObject(schema)) return [];
  if (Array.isArray(value))
    return value.flatMap((item, at) => unknownFields(item, schema['items'], [...path, at]));
  const { properties, additionalProperties: others } = schema;
  if (!isObject(value) || !isObject(properties) || (others !== undefined && others !== false)) return [];
  const names = Object.keys(properties);
  return Object.entries(value).flatMap(([name, inner]) => {
    const place = [...path, name];
    if (Object.hasOwn(properties, name)) return unknownFields(inner, properties[name], place);
    return [unknownField(place, names, closest(name, names))];
  });
}

function unknownField(path: Path, names: readonly string[], suggestion: string | undefined): Warning {
  const field = shown(path.join('.'));
  const known = names.slice(0, MAX_KNOWN).join(', ');
  if (suggestion === undefined) return { key: 'unknown_field', params: { field, known }, field };
  return { key: 'unknown_field.close', params: { field, suggestion }, field };
}

function unreadableColors(value: Json, path: Path): Warning[] {
  if (typeof value === 'string') {
    if (!namesColor(path) || value.trim() === '' || isColor(value)) return [];
    const field = path.join('.');
    return [{ key: 'color_unreadable', params: { field, value: shown(value) }, field }];
  }
  if (Array.isArray(value)) return value.flatMap((item, at) => unreadableColors(item, [...path, at]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => unreadableColors(inner, [...path, name]));
}

/** `background` may be an image elsewhere; in a brand it is a color. */
function namesColor(path: Path): boolean {
  const name = String(path.at(-1));
  return /(?:^|_)colou?r$/i.test(name) || (path.at(-2) === 'brand' && /^(?:accent|background)$/.test(name));
}

/** Functions and keywords whose color only a page knows. */
const COMPUTED = /^\s*(?:(?:var|color|color-mix|light-dark|env)\(.*\)|currentcolor|inherit)\s*$/i;

function isColor(text: string): boolean {
  return COMPUTED.test(text) || parseColor(text.trim().toLowerCase()) !== undefined;
}

const SHAPES = ['color', 'accent'];

function lowContrast(defaults: JsonObject, data: JsonObject): Warning[] {
  const given = isObject(data['brand']) ? data['brand'] : {};
  const brand = { ...(isObject(defaults['brand']) && defaults['brand']), ...given };
  const { background } = brand;
  return SHAPES.filter((name) => name in given || 'background' in given).flatMap((name) => {
    const ratio = contrastOf(brand[name], background);
    if (ratio === undefined || ratio >= MIN_CONTRAST) return [];
    const field = `data.brand.${name}`;
    return [{ key: 'low_contrast', params: { field, ratio: Math.floor(ratio * 10) / 10 }, field } as const];
  });
}

function contrastOf(one: Json | undefined, other: Json | undefined): number | undefined {
  if (typeof one !== 'string' || typeof other !== 'string') return undefined;
  const [front, back] = [parseColor(one.trim().toLowerCase()), parseColor(other.trim().toLowerCase())];
  return front && back ? wcagContrast(front, back) : undefined;
}

function shown(text: string): string {
  return text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text;
}
