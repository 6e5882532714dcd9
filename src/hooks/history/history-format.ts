import { z } from 'zod';

/** The formats of an export. */
export const HistoryFormat = z.enum(['csv', 'json', 'txt']);
export type HistoryFormat = z.output<typeof HistoryFormat>;
