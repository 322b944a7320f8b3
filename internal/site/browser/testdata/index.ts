// The functions that tests call by name, with arguments as JSON.
export * from './acts';
export * from './calls';
export * from './driving';
export * from './faults';
export * from './hearing';
export * from './layout';
export * from './measuring';
export * from './modules';
export * from './noting';
export * from './reading';
export * from './storage';
export * from './values';
export * from './words';
