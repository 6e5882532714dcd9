import type { Tool } from '../contract/define.ts';
import { getBrand } from './get-brand.ts';
import { importBrand } from './import-brand.ts';
import { saveBrand } from './save-brand.ts';

/** The operations of the brand, in the order of the documents. */
export const brandTools: readonly Tool[] = [getBrand, saveBrand, importBrand];
