package browser

import (
	"math"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"time"
)

// programs are the processes of a browser, and their home folder.
type programs struct {
	home    string
	running []*exec.Cmd
}

func newPrograms() (*programs, error) {
	home, err := os.MkdirTemp("", "browser-")
	return &programs{home: home}, err
}

// start starts a program in that home folder, with the time zone of Berlin.
func (p *programs) start(program *exec.Cmd, environment ...string) error {
	program.Env = append(os.Environ(), append(environment, "TZ=Europe/Berlin", "LC_ALL=en_US.UTF-8",
		"HOME="+p.home, "XDG_CACHE_HOME="+p.home, "XDG_CONFIG_HOME="+p.home, "XDG_DATA_HOME="+p.home)...)
	err := program.Start()
	if err == nil {
		p.running = append(p.running, program)
	}
	return err
}

// stop ends the programs, the last one first, and removes the home folder.
func (p *programs) stop() {
	for _, program := range slices.Backward(p.running) {
		_ = program.Process.Signal(syscall.SIGTERM)
		late := time.AfterFunc(patience, func() { _ = program.Process.Kill() })
		_ = program.Wait()
		late.Stop()
	}
	_ = os.RemoveAll(p.home)
}

// Keys without a character have code points of their own:
// https://www.w3.org/TR/webdriver2/#keyboard-actions.
const (
	backspace = '\ue003'
	enter     = '\ue006'
	control   = '\ue009' // is held until all keys are pressed

	TabKey = "\ue004"
	Enter  = string(enter)
	Escape = "\ue00c"

	pasteKeys = string(control) + "v"
)

type object map[string]any

// Both protocols of WebDriver have the same actions of mouse and keyboard: https://www.w3.org/TR/webdriver2/#actions and
// https://www.w3.org/TR/webdriver-bidi/#command-input-performActions.
func click(x, y float64) []object {
	return []object{{"type": "pointer", "id": "mouse", "actions": []object{
		{"type": "pointerMove", "x": math.Floor(x), "y": math.Floor(y)},
		{"type": "pointerDown", "button": 0},
		{"type": "pointerUp", "button": 0},
	}}}
}

func keystrokes(keys string) []object {
	if keys == "" {
		keys = string(backspace)
	}
	var steps, held []object
	for _, key := range keys {
		if key == '\n' {
			key = enter
		}
		up := object{"type": "keyUp", "value": string(key)}
		steps = append(steps, object{"type": "keyDown", "value": string(key)})
		if key == control {
			held = append(held, up)
		} else {
			steps = append(steps, up)
		}
	}
	return []object{{"type": "key", "id": "keyboard", "actions": append(steps, held...)}}
}
