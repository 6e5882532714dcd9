import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

/**
 * Loaded into a server before its own code (`node --import`): an Internet of one https server. Every name of `example.test`
 * has a public address, and port 443 of that address is the local port that PEER_PORT names. So the server keeps all of its
 * rules about whom it may ask.
 */
const ADDRESS = '93.184.216.34';
const peerPort = Number(process.env['PEER_PORT']);

const lookup = dns.lookup;
Object.assign(dns, {
  lookup: (host: string, options: object) =>
    host.endsWith('.example.test')
      ? Promise.resolve([{ address: ADDRESS, family: 4 }])
      : lookup(host, options),
});
syncBuiltinESMExports();

const connect = net.Socket.prototype.connect;
Object.assign(net.Socket.prototype, {
  connect(this: net.Socket, ...given: unknown[]) {
    // What net.connect() hands on: its arguments in one list, of which the first are the options.
    const [first] = given;
    const options = Array.isArray(first) ? first[0] : first;
    if (isForPeer(options)) Object.assign(options, { host: '127.0.0.1', port: peerPort, lookup: undefined });
    return Reflect.apply(connect, this, given);
  },
});

function isForPeer(options: unknown): options is object {
  if (typeof options !== 'object' || options === null) return false;
  if (!('host' in options) || !('port' in options)) return false;
  return String(options.host).endsWith('.example.test') && Number(options.port) === 443;
}
