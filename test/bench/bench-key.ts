/** The installation key of gateways under a bench. In a file of its own: their process loads nothing else of the benches. */
export const BENCH_KEY = 'bench-installation-key';
