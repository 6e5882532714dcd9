import { useRest } from '../../support/server.ts';

/** A browser that keeps the cookies of the server at `base`. It follows no redirect. */
export function newBrowser(base: string) {
  const rest = useRest(base);
  const jar = new Map<string, string>();
  const keep = (response: Response) => {
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(cookie)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  };
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  return {
    jar,
    async open(url: string) {
      const ours = url.startsWith(base) || url.startsWith('/');
      const response = await fetch(new URL(url, base), {
        redirect: 'manual',
        headers: ours ? { cookie: cookie() } : {},
      });
      return ours ? keep(response) : response;
    },
    async post(path: string, body: unknown, token?: string) {
      const headers = { cookie: cookie(), ...(token && { authorization: `Bearer ${token}` }) };
      const answer = await rest('POST', path, { body, headers });
      keep(new Response(null, { headers: answer.headers }));
      return answer;
    },
  };
}
export type Browser = ReturnType<typeof newBrowser>;
