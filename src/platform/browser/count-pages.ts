const PAGE = Buffer.from(' obj\n<</Type /Page\n');

/** How many pages a PDF of Chromium has: its writer leaves the head of each page object in the clear. */
export function countPages(pdf: Uint8Array): number {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength);
  let pages = 0;
  for (let at = bytes.indexOf(PAGE); at >= 0; at = bytes.indexOf(PAGE, at + PAGE.length)) pages++;
  return pages;
}
