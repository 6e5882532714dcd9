import { stillOf } from './still-of.ts';
import { addressesIn, imageStyles, replaceAddresses } from './style-images.ts';

/**
 * Loads and decodes every image of the page, whether it is displayed or not, and puts a still in the place of each one
 * that moves by itself, since nobody can say at which moment that one would be seen.
 * @returns the addresses of those that cannot be shown, as the page writes them
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
  // What a set or a picture has chosen is known only by its whole address.
  return image.currentSrc === '' || image.currentSrc === image.src ? source : image.currentSrc;
}

/** The address itself, or that of its still; undefined when it cannot be shown. */
async function load(address: string): Promise<string | undefined> {
  const image = new Image();
  image.src = address;
  try {
    await image.decode();
  } catch {
    return undefined;
  }
  return (await stillOf(image)) ?? address;
}

function replaceSource(image: HTMLImageElement, still: string | undefined): void {
  if (still === undefined) return;
  for (const source of image.parentElement?.querySelectorAll(':scope > source') ?? []) source.remove();
  image.removeAttribute('srcset');
  image.src = still;
}
