import type { sheets_v4 } from '@googleapis/sheets';
import { z } from 'zod';
import type { Cell, SheetCalls, SheetRows } from '../../sync/ports/sheet-client.ts';
import type { Access } from './access.ts';
import { answeredRows, isRows, onlyRange, undocumented } from './answered-rows.ts';
import { SheetsApiFault } from './faults.ts';
import { type GridRange, rowIn, titleIn } from './ranges.ts';
import type { Wire } from './wire.ts';

/**
 * Google's SDK for Sheets alone, loaded on first use.
 */
export const sheetsSdk = () => import('@googleapis/sheets');

export type SheetsSdk = Awaited<ReturnType<typeof sheetsSdk>>;

export type Api = ReturnType<typeof createApi>;
export type Restructuring = sheets_v4.Schema$Request;
type Render = 'UNFORMATTED_VALUE' | 'FORMULA';
export type RangeValues = { readonly range: GridRange; readonly values: readonly (readonly Cell[])[] };
/** A tab as it is called, and its rows. */
type TitledRows = { readonly title: string; readonly rows: SheetRows };

type WithJson<T> = T & { readonly toJSON: () => T };

type Call = { readonly headers: Record<string, string>; readonly fetchImplementation: ReturnType<Wire> };

/** Of no developer metadata. */
const EDITOR_CHECK = 'stallhand-may-edit';

/** Only what is looked at: a spreadsheet's charts, filters and formats can be megabytes. */
const TABS = 'properties(title,locale),sheets.properties(sheetId,title,gridProperties(rowCount,columnCount))';

const Spreadsheet = z.object({
  properties: z.object({ title: z.string().default(''), locale: z.string().default('en_US') }),
  sheets: z.array(
    z.object({
      properties: z.object({
        sheetId: z.number().default(0),
        title: z.string().default(''),
        // A tab that is a chart has none.
        gridProperties: z
          .object({ rowCount: z.number().default(0), columnCount: z.number().default(0) })
          .optional(),
      }),
    }),
  ),
});
const ValueRange = z.object({ range: z.string(), values: z.custom<Cell[][]>(isRows).default([]) });
const ValueRanges = z.object({ valueRanges: z.array(z.object({ valueRange: ValueRange })).default([]) });
const Replies = z.object({
  replies: z
    .array(z.object({ addSheet: z.object({ properties: z.object({ sheetId: z.number() }) }).optional() }))
    .default([]),
});

/** The calls we make, each tried once. Cells are named by the id of their tab: another may have its title by now. Every one throws SheetsApiFault. */
export function createApi(spreadsheetId: string, parts: { sdk: SheetsSdk; wire: Wire; access: Access }) {
  const { sdk, wire, access } = parts;
  const { spreadsheets } = sdk.sheets({ version: 'v4', retry: false });
  const calls = { reads: 0, writes: 0 };

  return {
    calls: (): SheetCalls => ({ ...calls }),

    describe: (signal: AbortSignal) =>
      send('reads', signal, async (call) => {
        const asked = { spreadsheetId, includeGridData: false, fields: TABS };
        return documented(Spreadsheet, await spreadsheets.get(asked, call));
      }),

    values: async (range: GridRange, valueRenderOption: Render, signal: AbortSignal): Promise<TitledRows> => {
      const asked = getting([range], valueRenderOption);
      return send('reads', signal, async (call) => {
        const answer = await spreadsheets.values.batchGetByDataFilter(asked, {
          ...call,
          responseType: 'stream',
        });
        const found = onlyRange(Buffer.concat(await Array.fromAsync(answer.data)));
        if (!found) throw new SheetsApiFault('refused', 'no such range');
        const rows = answeredRows(found);
        return { title: titleIn(rows.range), rows };
      });
    },

    /** The rows of all ranges, by their number. */
    entered: async (ranges: readonly GridRange[], signal: AbortSignal): Promise<Map<number, Cell[]>> => {
      const asked = getting(ranges, 'FORMULA');
      return send('reads', signal, async (call) => {
        const answer = await spreadsheets.values.batchGetByDataFilter(asked, call);
        const { valueRanges } = documented(ValueRanges, answer);
        return new Map(
          valueRanges.flatMap(({ valueRange: { range, values } }) => {
            const first = rowIn(range);
            if (first === undefined) throw undocumented();
            return values.map((cells, offset) => [first + offset, cells] as const);
          }),
        );
      });
    },

    /** All of the ranges or none. */
    update: async (ranges: readonly RangeValues[], signal: AbortSignal) => {
      const data = ranges.map(({ range: gridRange, values }) => ({
        dataFilter: { gridRange },
        majorDimension: 'ROWS',
        // The SDK's types know no lists that may only be read; it changes none.
        values: values as Cell[][],
      }));
      // The SDK copies a body cell by cell; a function it takes as it is.
      const requestBody: WithJson<sheets_v4.Schema$BatchUpdateValuesByDataFilterRequest> = {
        toJSON: () => ({ valueInputOption: 'RAW', data }),
      };
      await send('writes', signal, async (call) => {
        const asked = { spreadsheetId, requestBody, fields: 'spreadsheetId' };
        documented(z.object({}), await spreadsheets.values.batchUpdateByDataFilter(asked, call));
      });
    },

    /**
     * Asks for what only an editor may, and what changes nothing: there is no metadata of this name. The API says of a
     * spreadsheet neither who may edit it nor whether the caller may.
     */
    checkEditor: async (signal: AbortSignal): Promise<void> => {
      const dataFilter = { developerMetadataLookup: { metadataKey: EDITOR_CHECK } };
      const requestBody = { requests: [{ deleteDeveloperMetadata: { dataFilter } }] };
      await send('writes', signal, (call) => spreadsheets.batchUpdate({ spreadsheetId, requestBody }, call));
    },

    /** All of the requests or none. Answers the ids of the tabs that were added. */
    restructure: async (requests: Restructuring[], signal: AbortSignal) => {
      return send('writes', signal, async (call) => {
        const asked = { spreadsheetId, requestBody: { requests } };
        const { replies } = documented(Replies, await spreadsheets.batchUpdate(asked, call));
        return replies.flatMap(({ addSheet }) => (addSheet ? [addSheet.properties.sheetId] : []));
      });
    },
  };

  function getting(ranges: readonly GridRange[], valueRenderOption: Render) {
    const dataFilters = ranges.map((gridRange) => ({ gridRange }));
    const requestBody = { dataFilters, valueRenderOption, dateTimeRenderOption: 'SERIAL_NUMBER' };
    return { spreadsheetId, requestBody, fields: 'valueRanges.valueRange(range,values)' };
  }

  async function send<T>(
    kind: keyof SheetCalls,
    signal: AbortSignal,
    call: (call: Call) => Promise<T>,
  ): Promise<T> {
    const token = await access.current(signal);
    const once = async (bearer: string) => {
      calls[kind] += 1;
      const headers = { authorization: `Bearer ${bearer}` };
      return call({ headers, fetchImplementation: wire(signal) }).catch((error: unknown) =>
        rethrow(error, kind),
      );
    };
    try {
      return await once(token);
    } catch (error) {
      if (!(error instanceof SheetsApiFault) || error.status !== 401 || !access.isRenewable) throw error;
      return once(await access.instead(token, signal));
    }
  }
}

function documented<T>(answer: z.ZodType<T>, { data }: { readonly data: unknown }): T {
  const parsed = answer.safeParse(data);
  if (parsed.success) return parsed.data;
  throw undocumented();
}

/** The SDK wraps what its `fetch` throws, together with the request. */
function rethrow(error: unknown, kind: keyof SheetCalls): never {
  const fault = error instanceof Error && error.cause instanceof SheetsApiFault ? error.cause : error;
  if (fault instanceof SheetsApiFault) fault.isWrite = kind === 'writes';
  throw fault;
}
