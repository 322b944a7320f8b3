package bundletest

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// A Script has the functions that tests call in a page.
type Script struct {
	// Code is an expression for an object with the functions, which each document makes once.
	Code   string
	places []string // the places of the code's lines
}

// scriptName is the name of the code in the stacks of errors.
const scriptName = "functions.js"

// NewScript bundles a module of a test, such as ./testdata/index.ts, whose exports become members of a global variable.
// The page imports the site's modules by their paths: import('../../src/model/time') imports /model/time.js.
func NewScript(variable, module string) (*Script, error) {
	result := api.Build(api.BuildOptions{
		EntryPoints: []string{module}, Outfile: scriptName, Format: api.FormatIIFE, GlobalName: variable,
		Bundle: true, Target: api.ES2022, Charset: api.CharsetUTF8, Sourcemap: api.SourceMapExternal,
		Plugins: []api.Plugin{{Name: "modules of the site", Setup: importFromPage}},
	})
	if messages := append(result.Errors, result.Warnings...); len(messages) > 0 {
		return nil, errors.New(strings.Join(api.FormatMessages(messages, api.FormatMessagesOptions{}), ""))
	}
	files := map[string][]byte{}
	for _, output := range result.OutputFiles {
		files[filepath.Base(output.Path)] = output.Contents
	}
	places, err := placesOfLines(files[scriptName+".map"])
	if err != nil {
		return nil, err
	}
	const code = "(globalThis.%[1]s ??= (() => { 'use strict'; const first = new Error(); %[2]s" +
		"return %[1]s; })())\n//# sourceURL=%[3]s\n"
	return &Script{Code: fmt.Sprintf(code, variable, files[scriptName], scriptName), places: places}, nil
}

func importFromPage(build api.PluginBuild) {
	sites := api.OnResolveOptions{Filter: `/src/`}
	build.OnResolve(sites, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
		if args.Kind != api.ResolveJSDynamicImport {
			err := fmt.Errorf("the page would have %s twice: import its types, or use import()", args.Path)
			return api.OnResolveResult{}, err
		}
		_, module, _ := strings.Cut(args.Path, "/src")
		return api.OnResolveResult{Path: module + ".js", External: true}, nil
	})
}

// Places are the sources of lines of the code, such as testdata/driving.ts:12. Other lines are not the script's.
func (s *Script) Places(lines []int) (places []string) {
	for _, line := range lines {
		if line > 0 && line <= len(s.places) {
			places = append(places, s.places[line-1])
		}
	}
	return places
}

// placesOfLines returns the place of the first token of each line, from a source map (https://tc39.es/ecma426/).
func placesOfLines(sourceMap []byte) (places []string, err error) {
	var content struct {
		Sources  []string
		Mappings string
	}
	if err := json.Unmarshal(sourceMap, &content); err != nil {
		return nil, err
	}
	source, line := 0, 0
	for segments := range strings.SplitSeq(content.Mappings, ";") {
		place := ""
		for segment := range strings.SplitSeq(segments, ",") {
			differences := decodeVLQ(segment) // differences of the column, the source and the source's line
			if len(differences) < 3 {
				continue
			}
			source += differences[1]
			line += differences[2]
			if place == "" {
				place = fmt.Sprintf("%s:%d", content.Sources[source], line+1)
			}
		}
		places = append(places, place)
	}
	return places, nil
}

// decodeVLQ decodes numbers in base64 digits, the lowest digit first. The lower five bits of a digit belong to the
// number. The sixth bit says whether a further digit follows. The lowest bit of a number is its sign.
func decodeVLQ(text string) (numbers []int) {
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	number, bits := 0, 0
	for _, digit := range text {
		value := strings.IndexRune(digits, digit)
		number |= (value & 31) << bits
		bits += 5
		if value >= 32 {
			continue
		}
		magnitude := number >> 1
		if number&1 == 1 {
			magnitude = -magnitude
		}
		numbers = append(numbers, magnitude)
		number, bits = 0, 0
	}
	return numbers
}
