import type { Clock } from '../../../platform/clock.ts';
import { systemTimers, type Timers } from '../../../platform/timers.ts';
import type { DrawFax, ProviderTools } from '../provider-port.ts';
import { type CallWatch, createCallWatch } from './call-watch.ts';
import { createEngines, type Engines } from './engine.ts';
import { createOutgoingImages, type OutgoingImages } from './image.ts';

/** State that sending over the line shares while the gateway runs. */
export interface Line {
  readonly clock: Clock;
  readonly engines: Engines;
  readonly images: OutgoingImages;
  readonly drawFax: DrawFax;
  /** Time (epoch ms) since which the engine has no record of an attempt. */
  readonly missing: Map<string, number>;
  /** True for attempts whose call in progress agreed on error correction. */
  readonly agreedEcm: Map<string, boolean>;
  /** Has each call that goes on asked about every few seconds. */
  readonly watch: CallWatch;
  pause(ms: number): Promise<void>;
}

export function createLine(tools: ProviderTools, timers: Timers = systemTimers): Line {
  const { clock, dataFolder, drawFax, onProviderEvent, listPending } = tools;
  return {
    clock,
    engines: createEngines({ clock, timers, onProviderEvent, listPending }),
    images: createOutgoingImages({ dataFolder, clock }),
    drawFax,
    missing: new Map(),
    agreedEcm: new Map(),
    watch: createCallWatch(timers, onProviderEvent),
    pause: (ms) =>
      new Promise((resolve) => {
        timers.after(ms, resolve);
      }),
  };
}
