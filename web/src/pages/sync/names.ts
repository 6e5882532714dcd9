import { listSheets, listStores } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';

/** What the stores and the sheets of the account are called; one that is gone is its ID. */
export function useNames() {
  const { data: stores } = useRead(listStores, { limit: 200 });
  const { data: sheets } = useRead(listSheets, { limit: 200 });
  const store = (id: string) => stores?.items.find((one) => one.id === id);
  const sheet = (id: string) => sheets?.items.find((one) => one.id === id);
  return {
    store,
    sheet,
    storeName: (id: string) => store(id)?.domain ?? (stores ? id : ''),
    sheetName: (id: string) => sheet(id)?.name ?? (sheets ? id : ''),
  };
}
