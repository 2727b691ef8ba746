// Preloaded into `latchkey serve` by start.mjs: reports the usage of the process, and ends it with the benchmark.
process.on('message', () => process.send({ bytes: process.memoryUsage.rss(), cpu: process.cpuUsage() }));
process.on('disconnect', () => process.exit());
