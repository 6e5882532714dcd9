/**
 * Google's SDK, on first use: this part of it alone takes 70 MiB and a fifth of a second, all of it ten times that.
 */
export const sheetsSdk = () => import('googleapis/build/src/apis/sheets/index.js');

export type SheetsSdk = Awaited<ReturnType<typeof sheetsSdk>>;
