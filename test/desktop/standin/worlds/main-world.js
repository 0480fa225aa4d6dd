// The page's own world: gives it what the preload exposes. `token` cannot be guessed by the page. Values cross between the
// worlds as details of events, which Blink copies; functions cross as numbers.
export default function mainWorld(token) {
  const callbacks = new Map();
  const pending = new Map();
  const dispatch = window.dispatchEvent.bind(window);
  const Event = CustomEvent;
  let last = 0;
  const pack = (value) => {
    if (typeof value !== 'function') return { value };
    last += 1;
    callbacks.set(last, value);
    return { callback: last };
  };
  const unpack = (answer) =>
    answer.proxy === undefined ? answer.value : (...args) => call({ proxy: answer.proxy }, args);
  const call = (target, args) => {
    let answer = null;
    last += 1;
    const id = last;
    const hear = ({ detail }) => {
      if (detail.id === id) answer = detail;
    };
    window.addEventListener(`${token}answer`, hear);
    dispatch(new Event(`${token}call`, { detail: { id, target, args: args.map(pack) } }));
    window.removeEventListener(`${token}answer`, hear);
    if (answer === null) throw new Error('the preload does not answer');
    if (answer.error !== undefined) throw new Error(answer.error);
    if (!answer.promise) return unpack(answer);
    return new Promise((resolve, reject) => pending.set(id, { resolve, reject }));
  };
  window.addEventListener(`${token}settled`, ({ detail }) => {
    const { resolve, reject } = pending.get(detail.id);
    pending.delete(detail.id);
    if (detail.error === undefined) resolve(unpack(detail));
    else reject(new Error(detail.error));
  });
  window.addEventListener(`${token}callback`, ({ detail }) =>
    callbacks.get(detail.callback)?.(...detail.args),
  );
  window.addEventListener(`${token}expose`, ({ detail }) => {
    const make = (shape, path) => {
      if (shape.kind === 'function') return (...args) => call({ key: detail.key, path }, args);
      if (shape.kind === 'value') return shape.value;
      const entries = Object.entries(shape.entries);
      return Object.freeze(
        Object.fromEntries(entries.map(([name, part]) => [name, make(part, [...path, name])])),
      );
    };
    const value = make(detail.shape, []);
    Object.defineProperty(window, detail.key, { value, enumerable: true });
  });
}
