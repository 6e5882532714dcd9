import { createHash } from 'node:crypto';

/** The image that a product should get. */
export type ProductImage = {
  /** As a person has it: an address, or an `asset:` reference. */
  readonly text: string;
  /** The address at which the store can fetch it. */
  readonly source: string;
};

const TYPES = 'avif|gif|heic|jpe?g|png|webp';
const MAX_LENGTH = 2_048;
const MAX_NAME = 60;

/** True for an address of the web, which a store may have, and for a reference to a file of the account. */
export function isPicture(text: string): boolean {
  if (text.length > MAX_LENGTH || /\s/.test(text)) return false;
  return isAssetReference(text) || (/^https?:\/\//i.test(text) && URL.canParse(text));
}

function isAssetReference(text: string): boolean {
  return /^asset:[^/]/i.test(text);
}

/** The extension of an address, without which the store gives its copy no name of our own. */
function extensionOf(address: string): string | undefined {
  const path = URL.canParse(address) ? new URL(address).pathname : address;
  return new RegExp(`\\.(${TYPES})$`, 'i').exec(path)?.[1]?.toLowerCase();
}

/**
 * The name of the store's copy. The store serves pictures at addresses of its own, which end with the file's name: so both a
 * process that died and the next run know which picture came from which text. Undefined: the address has no extension.
 */
export function copyName({ text, source }: ProductImage): string | undefined {
  const extension = extensionOf(source);
  if (extension === undefined) return undefined;
  const path = URL.canParse(source) ? new URL(source).pathname : '';
  const own = path.slice(path.lastIndexOf('/') + 1, -extension.length - 1);
  const plain = own
    .replace(/[^A-Za-z0-9]+/g, '-')
    .slice(0, MAX_NAME)
    .replace(/^-+|-+$/g, '');
  return `${plain || 'image'}-${markOf(text)}.${extension}`;
}

/** A copy is told by its name, which needs an extension. That of a reference is its file's. */
export function canBeCopied(text: string | null): boolean {
  return text === null || isAssetReference(text) || extensionOf(text) !== undefined;
}

/** Whether an address of the store is that of its copy of the picture that a text names. */
export function isCopyOf(address: string | null | undefined, text: string | null | undefined): boolean {
  return !!address && !!text && address !== text && address.includes(`-${markOf(text)}`);
}

function markOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
