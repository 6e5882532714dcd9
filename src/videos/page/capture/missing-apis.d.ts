// What the browsers we run have, and the types of TypeScript do not yet know.

interface HTMLCanvasElement {
  /** Asks for a `paint` event, in which what is inside can be drawn. Only with the flag CanvasDrawElement. */
  requestPaint?(): void;
}

interface CanvasRenderingContext2D {
  drawElementImage?(element: Element, x: number, y: number): DOMMatrix;
}

interface FileSystemFileHandle {
  /** Only in a worker. */
  createSyncAccessHandle(): Promise<FileSystemSyncAccessHandle>;
}

interface FileSystemSyncAccessHandle {
  truncate(size: number): void;
  write(bytes: Uint8Array<ArrayBuffer>, options: { at: number }): number;
  close(): void;
}
