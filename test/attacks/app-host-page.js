/* The page of a host that shows one app: it tells the app what the tool was called with and answered, and passes on what the
   app asks. `toServer` is the test. */
globalThis.beHost = ({ html, input, result, context }) => {
  const frame = document.querySelector('iframe');
  const send = (message) => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const hostCapabilities = { serverTools: {}, serverResources: {}, openLinks: {}, downloadFile: {} };
  window.addEventListener('message', async ({ source, data }) => {
    if (source !== frame.contentWindow) return;
    const { id, method, params } = data;
    if (method === 'ui/initialize') {
      const { protocolVersion } = params;
      const hostInfo = { name: 'host', version: '1' };
      send({ id, result: { protocolVersion, hostInfo, hostCapabilities, hostContext: context } });
    } else if (method === 'ui/notifications/initialized') {
      send({ method: 'ui/notifications/tool-input', params: { arguments: input } });
      send({ method: 'ui/notifications/tool-result', params: result });
    } else if (method === 'ui/notifications/size-changed') {
      frame.style.height = `${params.height}px`;
    } else if (id !== undefined && method) {
      send({ id, ...(await window.toServer(method, params)) });
    }
  });
  globalThis.changeContext = (params) => send({ method: 'ui/notifications/host-context-changed', params });
  frame.srcdoc = html;
};
