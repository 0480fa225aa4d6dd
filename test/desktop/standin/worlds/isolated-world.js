// The preload's world: what a sandboxed preload has of Electron. `__standinSend` is a binding that only this world sees.
export default function isolatedWorld(token, facts, run) {
  const pending = new Map();
  const listeners = new Map();
  const exposed = new Map();
  const proxies = new Map();
  let last = 0;
  const send = globalThis.__standinSend;
  delete globalThis.__standinSend;
  const encode = (message) =>
    JSON.stringify(message, (_key, value) => {
      if (value instanceof Uint8Array) return { $bytes: value.toBase64() };
      return value === undefined ? { $undefined: true } : value;
    });
  const decode = (text) =>
    JSON.parse(text, (_key, value) => {
      if (value?.$bytes !== undefined) return Uint8Array.fromBase64(value.$bytes);
      return value?.$undefined ? undefined : value;
    });
  globalThis.__standinDeliver = (text) => {
    const message = decode(text);
    if (message.reply === undefined) {
      const event = { sender: ipcRenderer, ports: [] };
      for (const listener of listeners.get(message.channel) ?? []) listener(event, ...message.args);
      return;
    }
    const { resolve, reject } = pending.get(message.reply);
    pending.delete(message.reply);
    if (message.error === undefined) resolve(message.value);
    else reject(new Error(message.error));
  };
  const ipcRenderer = {
    invoke(channel, ...args) {
      const copied = structuredClone(args);
      last += 1;
      const id = last;
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject });
        send(encode({ kind: 'invoke', id, channel, args: copied }));
      });
    },
    send(channel, ...args) {
      send(encode({ kind: 'send', channel, args: structuredClone(args) }));
    },
    on(channel, listener) {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener]);
      return ipcRenderer;
    },
    off(channel, listener) {
      listeners.set(
        channel,
        (listeners.get(channel) ?? []).filter((other) => other !== listener),
      );
      return ipcRenderer;
    },
    removeListener: (channel, listener) => ipcRenderer.off(channel, listener),
  };
  const fire = (name, detail) => window.dispatchEvent(new CustomEvent(`${token}${name}`, { detail }));
  const shapeOf = (value) => {
    if (typeof value === 'function') return { kind: 'function' };
    if (value === null || typeof value !== 'object' || value.constructor !== Object)
      return { kind: 'value', value };
    return {
      kind: 'object',
      entries: Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shapeOf(part)])),
    };
  };
  const unpack = ({ callback, value }) =>
    callback === undefined ? value : (...args) => fire('callback', { callback, args });
  const pack = (value) => {
    if (typeof value !== 'function') return { value };
    last += 1;
    proxies.set(last, value);
    return { proxy: last };
  };
  const functionOf = ({ key, path, proxy }) =>
    proxy === undefined ? path.reduce((part, name) => part[name], exposed.get(key)) : proxies.get(proxy);
  window.addEventListener(`${token}call`, ({ detail }) => {
    const { id, target, args } = detail;
    try {
      const result = functionOf(target)(...args.map(unpack));
      if (typeof result?.then !== 'function') {
        fire('answer', { id, ...pack(result) });
        return;
      }
      fire('answer', { id, promise: true });
      result.then(
        (value) => fire('settled', { id, ...pack(value) }),
        (error) => fire('settled', { id, error: String(error.message) }),
      );
    } catch (error) {
      fire('answer', { id, error: String(error.message) });
    }
  });
  const contextBridge = {
    exposeInMainWorld(key, api) {
      exposed.set(key, api);
      fire('expose', { key, shape: shapeOf(api) });
    },
  };
  const require = (name) => {
    if (name === 'electron' || name === 'electron/renderer') return { contextBridge, ipcRenderer };
    throw new Error(`module not found: ${name}; the preload is sandboxed`);
  };
  const module = { exports: {} };
  const process = { ...facts, contextIsolated: true, sandboxed: true, type: 'renderer', env: {} };
  // The preload sees the address that the application loaded, not the host that stands for its scheme.
  const [, host, scheme] = /^(.+)\.([a-z]+)\.localhost$/u.exec(location.hostname) ?? [];
  const seen = scheme === undefined ? location : { origin: `${scheme}://${host}`, protocol: `${scheme}:` };
  run(require, module, module.exports, process, seen);
}
