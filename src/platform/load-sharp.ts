/** Loads sharp with one thread for each image and no cache. Callers limit how many run at the same time. */
export async function loadSharp() {
  const { default: sharp } = await import('sharp');
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}
