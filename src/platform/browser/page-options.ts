export type PrintOptions = {
  readonly pageSize: 'A3' | 'A4' | 'A5' | 'Legal' | 'Letter' | 'Tabloid';
  readonly landscape: boolean;
  /** 0.1 to 2. */
  readonly scale: number;
  /** CSS lengths, such as `20mm`. */
  readonly margin: {
    readonly top: string;
    readonly right: string;
    readonly bottom: string;
    readonly left: string;
  };
  /** Html in which elements of the classes pageNumber, totalPages, date and title are filled. */
  readonly header?: string;
  readonly footer?: string;
  /** Such as `1-3, 5`. */
  readonly pageRanges?: string;
  readonly background: boolean;
  /** With the structure that screen readers use; takes longer and is larger. */
  readonly tagged: boolean;
};

/** `width` is in CSS pixels. */
export type Shot = {
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
  readonly pixelRatio?: number;
  readonly mobile?: boolean;
};

/** `width` and `height` are the picture's own pixels. */
export type Picture = { readonly png: Uint8Array; readonly width: number; readonly height: number };
