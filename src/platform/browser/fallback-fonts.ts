import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { lstat, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

/** A package of fonts for characters that the fonts of a machine lack. */
export type FontPackage = {
  readonly name: string;
  /** Which of its files are used; the others hold Latin letters, which every machine has, or other styles. */
  readonly files: RegExp;
  /** What its files are called here: the first of two fonts with a character is used. */
  readonly prefix: string;
  /** A variable font becomes one of normal weight, since the browser's fallback would take its thinnest. */
  readonly variable: boolean;
  /** Texts that it is for, as fontconfig names languages. Its files have too few characters each to tell by themselves. */
  readonly languages?: readonly string[];
  /** Names of its files 0, 1, 2, …: a style sheet can ask for each. */
  readonly families?: readonly string[];
};

/** Families of the color emoji, in which a style sheet can name them. A package splits the emoji over so many files. */
export const EMOJI_FAMILIES: readonly string[] = Array.from(
  { length: 11 },
  (_, at) => `Stallhand Emoji ${at}`,
);

const script = (name: string): FontPackage => ({
  name: `@fontsource-variable/noto-sans-${name}`,
  files: new RegExp(`-${name}-wght-normal\\.woff2$`),
  prefix: `1-${name}`,
  variable: true,
});

// Each family is many files with some hundred characters each; the browser opens only those it needs.
const han = (name: string, prefix: string, languages: readonly string[]): FontPackage => ({
  name: `@fontsource-variable/noto-sans-${name}`,
  files: /-\d+-wght-normal\.woff2$/,
  prefix,
  variable: true,
  languages,
});

export const FONT_PACKAGES: readonly FontPackage[] = [
  ...['arabic', 'hebrew', 'thai', 'devanagari', 'bengali', 'tamil'].map(script),
  // Chinese characters look different in each. A text without a language takes the first.
  ...[han('jp', '2-jp', ['ja']), han('kr', '3-kr', ['ko'])],
  ...[han('sc', '4-sc', ['zh-cn', 'zh-sg']), han('tc', '5-tc', ['zh-tw', 'zh-hk', 'zh-mo'])],
  { ...script('symbols'), prefix: '6-symbols' },
  {
    name: '@fontsource/noto-sans-symbols-2',
    files: /-(?:symbols|math|braille)-400-normal\.woff2$/,
    prefix: '7-symbols',
    variable: false,
  },
  {
    name: '@infolektuell/noto-color-emoji',
    files: /^\d+\.woff2$/,
    prefix: '8-emoji',
    variable: false,
    families: EMOJI_FAMILIES,
  },
];

/** Increment when the files made of the same packages change. */
const RECIPE = 3;
const UNPACK_MS = 120_000;
const SYSTEM_CONFIGURATION = '/etc/fonts/fonts.conf';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Makes a font configuration that has the fonts of `environment` and, after them, those of FONT_PACKAGES, so that a
 * document looks the same as before where nothing was missing. The fonts are unpacked into a subfolder of `root` once
 * for all processes and starts, as the browser is.
 * @returns environment variables for a browser on Linux
 * @throws Error when they cannot be unpacked
 */
export async function withFallbackFonts(
  environment: Environment,
  root = tmpdir(),
): Promise<Readonly<Record<string, string>>> {
  const folder = await unpackFonts(root);
  const configuration = configurationText(ownConfiguration(environment), folder);
  const file = join(folder, `fonts-${shortHash(configuration)}.conf`);
  const isThere = await readFile(file, 'utf8').catch(() => '');
  if (isThere !== configuration) {
    // Another process may be reading it.
    const draft = await mkdtemp(join(folder, 'draft-'));
    await writeFile(join(draft, 'fonts.conf'), configuration);
    await rename(join(draft, 'fonts.conf'), file);
    await rm(draft, { recursive: true, force: true });
  }
  return { FONTCONFIG_FILE: file };
}

function ownConfiguration({ FONTCONFIG_FILE: file, FONTCONFIG_PATH: folder }: Environment): string {
  if (file) return file;
  return folder ? join(folder, 'fonts.conf') : SYSTEM_CONFIGURATION;
}

/** The folder of the unpacked fonts. A draft is filled and then renamed, so a killed process leaves no half of it. */
async function unpackFonts(root: string): Promise<string> {
  const place = join(root, `stallhand-fonts-${await packagesHash()}-${ownUser()}`);
  if (await isOurs(place)) return place;
  if (await lstat(place).catch(() => undefined)) throw foreignFolder(place);
  const draft = await mkdtemp(`${place}-`);
  try {
    await mkdir(join(draft, 'fonts'));
    await unpackInto(join(draft, 'fonts'));
    await rename(draft, place).catch(() => {});
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  if (await isOurs(place)) return place;
  throw foreignFolder(place);
}

const foreignFolder = (place: string) =>
  new Error(`${place} belongs to another user or can be written by others`);

async function unpackInto(folder: string): Promise<void> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const worker = new Worker(fileURLToPath(new URL(`./fonts-worker.${extension}`, import.meta.url)), {
    workerData: folder,
  });
  try {
    const [code] = await once(worker, 'exit', { signal: AbortSignal.timeout(UNPACK_MS) });
    if (code !== 0) throw new Error(`unpacking the fonts ended with ${code}`);
  } finally {
    await worker.terminate();
  }
}

const ownUser = () => process.getuid?.() ?? 0;

// All users can write to the temporary folder; fonts that another user put there are not loaded.
async function isOurs(folder: string): Promise<boolean> {
  const about = await lstat(folder).catch(() => undefined);
  return about?.isDirectory() === true && about.uid === ownUser() && (about.mode & 0o022) === 0;
}

async function packagesHash(): Promise<string> {
  const manifests = await Promise.all(
    FONT_PACKAGES.map(({ name }) => readFile(fileURLToPath(import.meta.resolve(`${name}/package.json`)))),
  );
  return shortHash([RECIPE, ...manifests].join('\n'));
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

function configurationText(base: string, folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <cachedir>${escapeXml(join(folder, 'cache'))}</cachedir>
  <include ignore_missing="yes">${escapeXml(base)}</include>
  <dir>${escapeXml(join(folder, 'fonts'))}</dir>
  <!-- Only the names of countries are known there. -->
  <match target="pattern">
    <test name="lang" compare="contains"><string>zh-hant</string></test>
    <edit name="lang" mode="assign"><string>zh-tw</string></edit>
  </match>
${FONT_PACKAGES.map((fonts) => languageRule(fonts, join(folder, 'fonts'))).join('')}${FONT_PACKAGES.map((fonts) => familyRules(fonts, join(folder, 'fonts'))).join('')}</fontconfig>
`;
}

/** The browser asks for a font with a character and the language of its text. */
function languageRule({ prefix, languages }: FontPackage, folder: string): string {
  if (!languages) return '';
  const names = languages.map((language) => `<string>${language}</string>`).join('');
  return scanRule(
    join(folder, `${prefix}-`),
    `<edit name="lang" mode="assign"><langset>${names}</langset></edit>`,
  );
}

/** All files of a package have the same family, and of one family the browser takes one file. */
function familyRules({ prefix, families = [] }: FontPackage, folder: string): string {
  return families
    .map((family, at) =>
      scanRule(
        join(folder, `${prefix}-${at}.ttf`),
        `<edit name="family" mode="assign"><string>${family}</string></edit>`,
      ),
    )
    .join('');
}

const scanRule = (file: string, edit: string) => `  <match target="scan">
    <test name="file" compare="contains"><string>${escapeXml(file)}</string></test>
    ${edit}
  </match>
`;

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
