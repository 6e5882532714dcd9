// APIs of the supported browsers that TypeScript does not know yet.

interface HTMLCanvasElement {
  /** Requests a `paint` event, in which child elements can be drawn. Needs the flag CanvasDrawElement. */
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
