/** The library of pictures. One thread for each picture, and nothing kept: callers decide how much is done at the same time. */
export async function loadSharp() {
  const { default: sharp } = await import('sharp');
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}
