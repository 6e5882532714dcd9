import { animatedImageKind } from './animated-image.ts';
import { dataNumber } from './data-values.ts';
import { addressesIn, imageStyles, replaceAddresses } from './style-images.ts';

/**
 * Loads and decodes every image of the page, displayed or not, and replaces each animated one with a still, since its
 * own clock would show an arbitrary frame.
 * @returns the addresses that cannot be shown, as the page writes them
 */
export async function imagesReady(stage: HTMLElement): Promise<string[]> {
  const images = [...stage.querySelectorAll('img')].filter(({ src, srcset }) => src !== '' || srcset !== '');
  const vectors = [...stage.querySelectorAll('image')];
  const styles = imageStyles();
  for (const image of images) {
    image.loading = 'eager';
    image.decoding = 'sync';
  }
  const addresses = new Set([
    ...images.map(addressOf).filter(Boolean),
    ...vectors.map(({ href }) => href.baseVal).filter(Boolean),
    ...styles.flatMap(({ value }) => addressesIn(value)),
  ]);
  const stills = new Map<string, string>();
  const failed = new Set<string>();
  await Promise.all(
    [...addresses].map(async (address) => {
      const still = await load(address);
      if (still === undefined) failed.add(address);
      else if (still !== address) stills.set(address, still);
    }),
  );
  for (const image of images) replaceSource(image, stills.get(addressOf(image)));
  for (const { href } of vectors) href.baseVal = stills.get(href.baseVal) ?? href.baseVal;
  replaceAddresses(styles, stills);
  await Promise.all(
    images.map(async (image) => {
      await image.decode().catch(() => failed.add(addressOf(image)));
    }),
  );
  return [...failed].filter(Boolean).sort();
}

function addressOf(image: HTMLImageElement): string {
  const source = image.getAttribute('src') ?? '';
  // The choice of a srcset or picture element is known only by its full address.
  return image.currentSrc === '' || image.currentSrc === image.src ? source : image.currentSrc;
}

/** Returns the address, or that of its still; undefined when it cannot be shown. */
async function load(address: string): Promise<string | undefined> {
  const image = new Image();
  image.src = address;
  try {
    await image.decode();
  } catch {
    return undefined;
  }
  return (await stillImage(image)) ?? address;
}

function replaceSource(image: HTMLImageElement, still: string | undefined): void {
  if (still === undefined) return;
  for (const source of image.parentElement?.querySelectorAll(':scope > source') ?? []) source.remove();
  image.removeAttribute('srcset');
  image.src = still;
}

/**
 * Loads every font of the page, also of elements that are not displayed.
 * @param laterText text that is written later, such as captions
 */
export async function fontsReady(stage: HTMLElement, laterText: string): Promise<void> {
  const wanted = new Map<string, string>();
  for (const element of [stage, ...stage.querySelectorAll('*')]) {
    const text = ownText(element, laterText);
    if (text === '') continue;
    const { fontStyle, fontWeight, fontFamily } = getComputedStyle(element);
    const font = `${fontStyle} ${dataNumber(fontWeight, 400)} 16px ${fontFamily}`;
    wanted.set(font, `${wanted.get(font) ?? ''}${text}`);
  }
  // A font that cannot be loaded is replaced by the next of its family list, as in every page.
  await Promise.allSettled([...wanted].map(([font, text]) => document.fonts.load(font, distinct(text))));
  // Layout requests the remaining fonts, such as those of pseudo-elements.
  stage.getBoundingClientRect();
  await document.fonts.ready;
}

const NUMBERS = '0123456789.,-−+%\u00a0\u202f’';

function ownText(element: Element, laterText: string): string {
  if (element.matches('[data-captions], [data-captions] *')) return laterText;
  if (element instanceof HTMLElement && element.dataset['countTo'] !== undefined)
    return `${NUMBERS}${element.dataset['countPrefix'] ?? ''}${element.dataset['countSuffix'] ?? ''}`;
  return [...element.childNodes]
    .map((node) => (node instanceof Text ? node.data : ''))
    .join('')
    .trim();
}

function distinct(text: string): string {
  return [...new Set(text)].join('');
}

/** Returns the address of a still of an animated image; undefined for other images. */
async function stillImage(image: HTMLImageElement): Promise<string | undefined> {
  const bytes = await bytesOf(image.src);
  const kind = bytes && animatedImageKind(bytes);
  if (kind === 'picture') return firstFrame(image);
  return kind === 'vector' ? stillVector(new TextDecoder().decode(bytes)) : undefined;
}

async function bytesOf(address: string): Promise<Uint8Array | undefined> {
  try {
    return await (await fetch(address)).bytes();
  } catch {
    return undefined;
  }
}

// Drawn on a canvas, an animated image shows its first frame.
function firstFrame(image: HTMLImageElement): string | undefined {
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  canvas.getContext('2d')?.drawImage(image, 0, 0);
  return canvas.toDataURL('image/png');
}

function stillVector(text: string): string | undefined {
  const root = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
  if (root.localName !== 'svg') return undefined;
  for (const element of root.querySelectorAll('animate, animateTransform, animateMotion, set'))
    element.remove();
  const style = root.ownerDocument.createElementNS(root.namespaceURI, 'style');
  style.textContent = '*{animation-play-state:paused!important;transition:none!important}';
  root.append(style);
  return `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(root))}`;
}
