import { bridgeMcp } from '../cli/mcp-bridge.ts';
import { readCliConfig } from '../src/config.ts';

// Entry of the bundle `connect`: MCP over standard input and output for a server elsewhere, and nothing else of the product.

const { url, apiKey } = readCliConfig();
if (url === undefined || !URL.canParse(url)) {
  process.stderr.write('Set STALLHAND_URL to the address of your Stallhand server.\n');
  process.exitCode = 1;
} else {
  await bridgeMcp({ url, token: async () => apiKey });
}
