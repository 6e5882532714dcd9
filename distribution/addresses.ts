/** Where a release is found. Own these names before you publish. */
export const ADDRESSES = {
  /** In the MCP registry; also `mcpName` in package.json and a label of the image. */
  registry: 'io.github.stallhand/stallhand',
  source: 'https://github.com/stallhand/stallhand',
  image: 'ghcr.io/stallhand/stallhand',
} as const;
