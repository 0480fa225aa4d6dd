import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium';
import { DocumentError } from '../document-error.ts';
import { tooComplex } from '../limits.ts';
import { supplyFonts } from './system-fonts.ts';

/** Subset of the WebAssembly API in use; the types of Node leave it to those of the browser. */
type WasmImports = Record<string, Record<string, unknown>>;
type WasmMemory = { readonly buffer: ArrayBuffer };
type WasmInstance = { exports: Record<string, unknown> };
const wasm = (globalThis as unknown as Record<'WebAssembly', WasmApi>).WebAssembly;
interface WasmApi {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: WasmImports) => WasmInstance;
}

const scratchBytes = 64;

type Allocator = WrappedPdfiumModule['pdfium']['wasmExports'];
type Call = (...values: number[]) => number;
type WrapCall = (name: string, result: string | null, values: readonly string[]) => unknown;

/** Starts an engine whose memory may grow to `memoryLimitBytes`. */
export async function startPdfiumEngine(memoryLimitBytes: number): Promise<PdfiumEngine> {
  let memory: WasmMemory | undefined;
  let exported: Record<string, unknown> = {};
  let wrap: WrapCall = () => undefined;
  const lib = await init({
    instantiateWasm(imports: WasmImports, done: (instance: WasmInstance) => unknown) {
      const instance = new wasm.Instance(compiledPdfium(), limitMemory(imports, memoryLimitBytes));
      exported = instance.exports;
      memory = exported['memory'] as WasmMemory;
      done(instance);
      return instance.exports;
    },
    get cwrap() {
      return callDirectly(wrap, exported);
    },
    set cwrap(given: WrapCall) {
      wrap = given;
    },
    print: () => {},
    printErr: () => {},
  });
  const engine = new PdfiumEngine(lib, memory as unknown as WasmMemory);
  lib.PDFiumExt_Init();
  supplyFonts(engine);
  return engine;
}

export type { PdfiumEngine };

/**
 * One PDFium in WebAssembly. After an error that `isBroken` marks, its memory is in an unknown state and the engine
 * must be thrown away.
 */
class PdfiumEngine {
  readonly lib: WrappedPdfiumModule;
  readonly #memory: WasmMemory;
  readonly #allocator: Allocator;
  #broken = false;
  #scratch: number | undefined;
  #scratchInUse = false;
  #view: DataView | undefined;

  constructor(lib: WrappedPdfiumModule, memory: WasmMemory) {
    this.lib = lib;
    this.#memory = memory;
    this.#allocator = lib.pdfium.wasmExports;
  }

  get isBroken(): boolean {
    return this.#broken;
  }

  get memoryBytes(): number {
    return this.#memory.buffer.byteLength;
  }

  /** The engine's memory as it is now; a later call into PDFium may grow it and detach this view. */
  bytes(pointer: number, length: number): Uint8Array {
    return new Uint8Array(this.#memory.buffer, pointer, length);
  }

  view(): DataView {
    if (this.#view?.buffer !== this.#memory.buffer) this.#view = new DataView(this.#memory.buffer);
    return this.#view;
  }

  /** Reserves memory of the engine; the caller frees it. */
  allocate(length: number): number {
    const pointer = this.#allocator.malloc(Math.max(length, 1));
    if (pointer === 0) throw new DocumentError('too_large', tooComplex);
    return pointer;
  }

  free(pointer: number): void {
    if (!this.#broken) this.#allocator.free(pointer);
  }

  /** Runs `work` with `length` bytes of the engine's memory for results. */
  withScratch<T>(length: number, work: (pointer: number) => T): T {
    if (length <= scratchBytes && !this.#scratchInUse) return this.#withOwnScratch(work);
    const pointer = this.allocate(length);
    try {
      return work(pointer);
    } finally {
      this.free(pointer);
    }
  }

  /** Small results are read a thousand times a page: they share one piece of memory. */
  #withOwnScratch<T>(work: (pointer: number) => T): T {
    this.#scratchInUse = true;
    try {
      this.#scratch ??= this.allocate(scratchBytes);
      return work(this.#scratch);
    } finally {
      this.#scratchInUse = false;
    }
  }

  /** Runs `work`; traps of the engine, such as memory or stack running out, become a DocumentError. */
  guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (error instanceof DocumentError && !(error.cause instanceof OutOfEngineMemory)) throw error;
      this.#broken = true;
      throw new DocumentError('too_large', tooComplex, { cause: error });
    }
  }
}

class OutOfEngineMemory extends Error {
  override name = 'OutOfEngineMemory';
}

/**
 * The package's wrapper checks and copies the arguments of every call, which takes longer than most calls do. Functions
 * of plain numbers need none of that: a page with 1,400 objects is walked in 0.6 instead of 3 ms.
 */
function callDirectly(wrap: WrapCall, exported: Record<string, unknown>): WrapCall {
  return (name, result, values) => {
    const call = exported[name] as Call | undefined;
    const copied = result === 'string' || values.some((kind) => kind === 'string' || kind === 'array');
    if (copied || call === undefined) return wrap(name, result, values);
    return result === 'boolean' ? (...given: number[]) => Boolean(call(...given)) : call;
  };
}

let compiled: object | undefined;

function compiledPdfium(): object {
  compiled ??= new wasm.Module(
    readFileSync(fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm'))),
  );
  return compiled;
}

/** PDFium draws blank pages when an allocation fails, so growth past the limit ends the job instead. */
function limitMemory(imports: WasmImports, limitBytes: number): WasmImports {
  const bounded: WasmImports = {};
  for (const [name, functions] of Object.entries(imports)) {
    const grow = functions['emscripten_resize_heap'];
    if (typeof grow !== 'function') {
      bounded[name] = functions;
      continue;
    }
    bounded[name] = {
      ...functions,
      emscripten_resize_heap: (requested: number) => {
        if (requested >>> 0 > limitBytes) throw new OutOfEngineMemory();
        return (grow as (size: number) => number)(requested);
      },
    };
  }
  return bounded;
}
