import { movesByItself } from './moves-by-itself.ts';

/** The address of a still of an image that moves by itself; undefined for every other. */
export async function stillOf(image: HTMLImageElement): Promise<string | undefined> {
  const bytes = await bytesOf(image.src);
  const kind = bytes && movesByItself(bytes);
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

// Painted into a canvas, an image that moves is its first frame.
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
