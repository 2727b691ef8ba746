// Runs the migrations of a version, as `latchkey migrate` does. Prints the applied migrations as JSON, or the error.
import process from 'node:process';
import { migrateDatabase } from '@latchkey/server';

const { DATABASE = '', CONTRACT } = process.env;
try {
  const applied = await migrateDatabase(DATABASE, { contract: CONTRACT === 'true' });
  process.stdout.write(JSON.stringify(applied));
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
